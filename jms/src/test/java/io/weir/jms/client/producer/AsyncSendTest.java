package io.weir.jms.client.producer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.jms.client.ClientConnection;
import io.weir.jms.client.Clients;
import io.weir.jms.client.FakeBroker;
import io.weir.jms.client.FakePeer;
import io.weir.jms.client.link.Runtimes;
import io.weir.jms.frames.FrameType;
import io.weir.jms.frames.RefusalCode;
import io.weir.jms.message.WeirQueue;
import jakarta.jms.CompletionListener;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageNotWriteableException;
import jakarta.jms.MessageProducer;
import jakarta.jms.ResourceAllocationException;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Sends with a CompletionListener (specification 7.3). */
class AsyncSendTest {
    private static final WeirQueue DEMO = new WeirQueue("demo");

    private final FakeBroker broker = new FakeBroker();
    private final List<String> told = new CopyOnWriteArrayList<>();

    private final CompletionListener listener = new CompletionListener() {
        @Override
        public void onCompletion(Message message) {
            told.add(Runtimes.getOptional(() -> Clients.text(message)) + " on "
                    + Thread.currentThread().getName().replaceAll(".*'(weir.*)'", "$1"));
        }

        @Override
        public void onException(Message message, Exception e) {
            told.add(Runtimes.getOptional(() -> Clients.text(message)) + " "
                    + e.getClass().getSimpleName());
        }
    };

    @AfterEach
    void close() {
        broker.close();
    }

    @Test
    void completionsComeInTheOrderOfTheSendsOnTheClientPool() throws Exception {
        try (ClientConnection c = Clients.connect(broker)) {
            Session s = c.createSession();
            MessageProducer p = s.createProducer(DEMO);
            broker.hold(FrameType.SEND);
            for (int i = 0; i < 3; i++) {
                p.send(s.createTextMessage("m" + i), listener);
            }
            FakeBroker.await("the sends", () -> broker.count(FrameType.SEND) == 3);
            assertThat(told).isEmpty();
            broker.release(true);
            FakeBroker.await("the completions", () -> told.size() == 3);
            assertThat(told).containsExactly("m0 on weir.jms.client", "m1 on weir.jms.client", "m2 on weir.jms.client");
        }
    }

    @Test
    void aMessageThatIsBeingSentIsNotWriteable() throws Exception {
        try (ClientConnection c = Clients.connect(broker)) {
            Session s = c.createSession();
            TextMessage m = s.createTextMessage("a");
            broker.hold(FrameType.SEND);
            s.createProducer(DEMO).send(m, listener);
            FakeBroker.await("the send", () -> broker.count(FrameType.SEND) == 1);
            assertThatThrownBy(() -> m.setText("b")).isInstanceOf(MessageNotWriteableException.class);
            assertThatThrownBy(() -> m.setIntProperty("n", 1)).isInstanceOf(MessageNotWriteableException.class);
            assertThatThrownBy(m::clearBody).isInstanceOf(MessageNotWriteableException.class);
            broker.release(false);
            FakeBroker.await("the completion", () -> told.size() == 1);
            m.setText("b");
        }
    }

    @Test
    void aRefusalIsToldToTheListenerInItsPlace() throws Exception {
        try (ClientConnection c = Clients.connect(broker)) {
            Session s = c.createSession();
            MessageProducer p = s.createProducer(DEMO);
            broker.refuse(FrameType.SEND, RefusalCode.RESOURCE_ALLOCATION, "full");
            p.send(s.createTextMessage("a"), listener);
            p.send(s.createTextMessage("b"), listener);
            s.close();
            assertThat(told)
                    .containsExactly("a " + ResourceAllocationException.class.getSimpleName(), "b on weir.jms.client");
        }
    }

    @Test
    void closeAndCommitWaitForCompletions() throws Exception {
        try (ClientConnection c = Clients.connect(broker)) {
            Session s = c.createSession(Session.SESSION_TRANSACTED);
            MessageProducer p = s.createProducer(DEMO);
            broker.hold(FrameType.SEND);
            p.send(s.createTextMessage("a"), listener);
            Thread.ofPlatform().start(() -> {
                FakeBroker.await("the send", () -> broker.count(FrameType.SEND) == 1);
                broker.release(false);
            });
            s.commit();
            assertThat(told).hasSize(1);
            assertThat(broker.depth(FakePeer.queue("demo"))).isEqualTo(1);
        }
    }

    @Test
    void aCompletionListenerMayNotCommitNorCloseItsSession() throws Exception {
        try (ClientConnection c = Clients.connect(broker)) {
            Session s = c.createSession(Session.SESSION_TRANSACTED);
            MessageProducer p = s.createProducer(DEMO);
            for (Runtimes.Task task : List.<Runtimes.Task>of(s::commit, s::rollback, s::close, c::close, p::close)) {
                CompletableFuture<Boolean> refused = new CompletableFuture<>();
                p.send(s.createTextMessage("a"), new CompletionListener() {
                    @Override
                    public void onCompletion(Message message) {
                        try {
                            task.run();
                            refused.complete(false);
                        } catch (JMSException e) {
                            refused.complete(e instanceof IllegalStateException);
                        }
                    }

                    @Override
                    public void onException(Message message, Exception e) {
                        refused.completeExceptionally(e);
                    }
                });
                assertThat(refused.get(3, TimeUnit.MINUTES)).isTrue();
            }
        }
    }

    @Test
    void commitInsideAMessageListenerRunsTheCompletionsItWaitsFor() throws Exception {
        try (ClientConnection c = Clients.started(broker)) {
            Session s = c.createSession(Session.SESSION_TRANSACTED);
            MessageProducer p = s.createProducer(new WeirQueue("out"));
            CompletableFuture<Integer> done = new CompletableFuture<>();
            s.createConsumer(DEMO)
                    .setMessageListener(m -> Runtimes.run(() -> {
                        p.send(s.createTextMessage("reply"), listener);
                        s.commit();
                        done.complete(told.size());
                    }));
            Session other = c.createSession();
            other.createProducer(DEMO).send(other.createTextMessage("request"));
            assertThat(done.get(3, TimeUnit.MINUTES)).isEqualTo(1);
        }
    }

    @Test
    void aLostConnectionIsToldToEveryListenerThatWaits() throws Exception {
        try (ClientConnection c = Clients.connect(broker, "reconnect-policy=none")) {
            Session s = c.createSession();
            MessageProducer p = s.createProducer(DEMO);
            broker.hold(FrameType.SEND);
            p.send(s.createTextMessage("a"), listener);
            p.send(s.createTextMessage("b"), listener);
            FakeBroker.await("the sends", () -> broker.count(FrameType.SEND) == 2);
            broker.cut();
            FakeBroker.await("both told", () -> told.size() == 2);
            assertThat(told).containsExactly("a JMSException", "b JMSException");
            assertThatThrownBy(() -> p.send(s.createTextMessage("c"), listener)).isInstanceOf(JMSException.class);
        }
    }

    @Test
    void whenTooManyWaitTheNextSendBlocksUntilOneIsDone() throws Exception {
        try (ClientConnection c = Clients.connect(broker)) {
            Session s = c.createSession();
            MessageProducer p = s.createProducer(DEMO);
            broker.hold(FrameType.SEND);
            for (int i = 0; i < AsyncSends.MOST; i++) {
                p.send(s.createTextMessage("m"), listener);
            }
            CompletableFuture<Void> last =
                    CompletableFuture.runAsync(() -> Runtimes.run(() -> p.send(s.createTextMessage("last"), listener)));
            FakeBroker.await("the sends", () -> broker.count(FrameType.SEND) == AsyncSends.MOST);
            assertThat(last.isDone()).isFalse();
            broker.release(false);
            last.get(3, TimeUnit.MINUTES);
            FakeBroker.await("all", () -> told.size() == AsyncSends.MOST + 1);
        }
    }
}
