package io.weir.jms.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.jms.message.WeirQueue;
import jakarta.jms.CompletionListener;
import jakarta.jms.DeliveryMode;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Who may stop a connection: a completion listener may, a message listener may not (specification 7.3.5, JMSContext.stop). */
class StopInListenerTest {
    private static final WeirQueue DEMO = new WeirQueue("demo");

    private final FakeBroker broker = new FakeBroker();

    @AfterEach
    void close() {
        broker.close();
    }

    @Test
    void aCompletionListenerMayStopItsContextAndAMessageListenerMayNot() throws Exception {
        try (ClientConnection c = Clients.started(broker)) {
            Session s = c.createSession();
            CompletableFuture<Object> stopped = new CompletableFuture<>();
            s.createProducer(DEMO).send(s.createTextMessage("m"), new StoppingListener(c, stopped));
            assertThat(stopped.get(3, TimeUnit.MINUTES)).isEqualTo("stopped");
            Clients.fill(c, DEMO, DeliveryMode.NON_PERSISTENT, 1);
            MessageConsumer consumer = s.createConsumer(DEMO);
            assertThat(consumer.receive(20)).isNull();
            c.start();
            CompletableFuture<Object> refused = new CompletableFuture<>();
            consumer.setMessageListener(m -> new StoppingListener(c, refused).onCompletion(m));
            assertThat(refused.get(3, TimeUnit.MINUTES)).isInstanceOf(IllegalStateException.class);
        }
    }

    /** Two sessions of a connection whose completion listeners stop it at the same time. */
    @Test
    void completionListenersThatStopDoNotWaitForEachOther() throws Exception {
        try (ClientConnection c = Clients.started(broker)) {
            CyclicBarrier both = new CyclicBarrier(2);
            List<CompletableFuture<Object>> stopped = List.of(new CompletableFuture<>(), new CompletableFuture<>());
            for (CompletableFuture<Object> done : stopped) {
                Session s = c.createSession();
                s.createProducer(DEMO).send(s.createTextMessage("m"), new StoppingListener(c, done) {
                    @Override
                    public void onCompletion(Message m) {
                        try {
                            both.await(3, TimeUnit.MINUTES);
                        } catch (Exception e) {
                            done.completeExceptionally(e);
                        }
                        super.onCompletion(m);
                    }
                });
            }
            for (CompletableFuture<Object> done : stopped) {
                assertThat(done.get(3, TimeUnit.MINUTES)).isEqualTo("stopped");
            }
        }
    }

    /** Stops a connection and says what came of it. */
    private static class StoppingListener implements CompletionListener {
        private final ClientConnection connection;
        private final CompletableFuture<Object> done;

        StoppingListener(ClientConnection connection, CompletableFuture<Object> done) {
            this.connection = connection;
            this.done = done;
        }

        @Override
        public void onCompletion(Message m) {
            try {
                connection.stop();
                done.complete("stopped");
            } catch (JMSException e) {
                done.complete(e);
            }
        }

        @Override
        public void onException(Message m, Exception e) {
            done.complete(e);
        }
    }
}
