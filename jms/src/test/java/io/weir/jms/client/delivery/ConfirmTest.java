package io.weir.jms.client.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.jms.client.ClientConnection;
import io.weir.jms.client.Clients;
import io.weir.jms.client.FakeBroker;
import io.weir.jms.frames.FrameType;
import io.weir.jms.frames.RefusalCode;
import io.weir.jms.message.WeirQueue;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What waits for the broker's word before the next message is passed on, and what the broker is told of messages passed on. */
class ConfirmTest {
    private static final WeirQueue DEMO = new WeirQueue("demo");

    private final FakeBroker broker = new FakeBroker();
    private final BlockingQueue<Message> heard = new LinkedBlockingQueue<>();

    @AfterEach
    void close() {
        broker.close();
    }

    private @Nullable String next() throws Exception {
        return Clients.text(heard.poll(3, TimeUnit.MINUTES));
    }

    private void listening(ClientConnection c, int mode) throws JMSException {
        c.createSession(mode).createConsumer(DEMO).setMessageListener(heard::add);
    }

    @Test
    void aListenerGetsTheNextPersistentMessageWhenTheOneBeforeIsSafe() throws Exception {
        try (ClientConnection c = Clients.started(broker)) {
            Clients.fill(c, DEMO, DeliveryMode.PERSISTENT, 3);
            broker.hold(FrameType.SETTLE);
            listening(c, Session.AUTO_ACKNOWLEDGE);
            assertThat(next()).isEqualTo("m0");
            FakeBroker.await("the question", () -> broker.count(FrameType.SETTLE) == 1);
            // another session's listener is served while this one waits
            Clients.fill(c, new WeirQueue("other"), DeliveryMode.NON_PERSISTENT, 1);
            c.createSession().createConsumer(new WeirQueue("other")).setMessageListener(heard::add);
            assertThat(next()).isEqualTo("m0");
            assertThat(heard).isEmpty();
            broker.release(false);
            assertThat(next()).isEqualTo("m1");
            assertThat(next()).isEqualTo("m2");
            FakeBroker.await("the last", () -> broker.heard(FrameType.SETTLE).equals(List.of("1-1", "2-2", "3-3")));
        }
    }

    @Test
    void receiveReturnsTheNextPersistentMessageWhenTheOneBeforeIsSafe() throws Exception {
        try (ClientConnection c = Clients.started(broker, "synchronous-prefetch-mode=enabled")) {
            Clients.fill(c, DEMO, DeliveryMode.PERSISTENT, 3);
            broker.hold(FrameType.SETTLE);
            MessageConsumer consumer = c.createSession().createConsumer(DEMO);
            assertThat(Clients.text(consumer.receive())).isEqualTo("m0");
            assertThat(consumer.receive(20)).isNull();
            broker.release(false);
            assertThat(Clients.text(consumer.receive())).isEqualTo("m1");
            assertThat(Clients.text(consumer.receive())).isEqualTo("m2");
        }
    }

    @Test
    void whatAServersDeathEndsAnywayAndLazyAcknowledgementWaitForNothing() throws Exception {
        try (ClientConnection c = Clients.started(broker)) {
            broker.hold(FrameType.SETTLE);
            Clients.fill(c, DEMO, DeliveryMode.NON_PERSISTENT, 50);
            listening(c, Session.AUTO_ACKNOWLEDGE);
            for (int i = 0; i < 50; i++) {
                assertThat(next()).isEqualTo("m" + i);
            }
        }
        try (ClientConnection c = Clients.started(broker)) {
            Clients.fill(c, DEMO, DeliveryMode.PERSISTENT, 50);
            listening(c, Session.DUPS_OK_ACKNOWLEDGE);
            for (int i = 0; i < 50; i++) {
                assertThat(next()).isEqualTo("m" + i);
            }
            assertThat(broker.count(FrameType.SETTLE)).isZero();
        }
    }

    @Test
    void aDiskThatRefusesStarvesNobody() throws Exception {
        try (ClientConnection c = Clients.started(broker)) {
            Clients.fill(c, DEMO, DeliveryMode.PERSISTENT, 2);
            broker.refuse(FrameType.SETTLE, RefusalCode.STORE, "the disk is full");
            listening(c, Session.AUTO_ACKNOWLEDGE);
            assertThat(next()).isEqualTo("m0");
            assertThat(next()).isEqualTo("m1");
        }
    }

    @Test
    void theBrokerHearsWhatTheApplicationWorksOnAndNotWhatIsPrefetched() throws Exception {
        try (ClientConnection c = Clients.started(broker)) {
            CompletableFuture<Void> goOn = new CompletableFuture<>();
            Clients.fill(c, DEMO, DeliveryMode.PERSISTENT, 5);
            c.createSession().createConsumer(DEMO).setMessageListener(m -> {
                heard.add(m);
                goOn.join();
            });
            next();
            FakeBroker.await("the word", () -> !broker.passed().isEmpty());
            assertThat(broker.passed()).containsExactly("ACK 1-1");
            goOn.complete(null);
        }
    }

    @Test
    void receivedMessagesThatTheApplicationAcknowledgesAreToldToo() throws Exception {
        try (ClientConnection c = Clients.started(broker, "synchronous-prefetch-mode=enabled")) {
            Clients.fill(c, DEMO, DeliveryMode.PERSISTENT, 5);
            MessageConsumer consumer =
                    c.createSession(Session.CLIENT_ACKNOWLEDGE).createConsumer(DEMO);
            consumer.receive();
            FakeBroker.await("the word", () -> broker.passed().equals(List.of("ACK 1-1")));
            consumer.receive();
            FakeBroker.await("the next", () -> broker.passed().equals(List.of("ACK 1-1", "ACK 2-2")));
        }
    }

    @Test
    void whatIsFlaggedIsToldBeforeTheApplicationGetsIt() throws Exception {
        try (ClientConnection c = Clients.started(broker)) {
            Clients.fill(c, DEMO, DeliveryMode.PERSISTENT, 1);
            Session s = c.createSession(Session.CLIENT_ACKNOWLEDGE);
            MessageConsumer consumer = s.createConsumer(DEMO);
            consumer.receive();
            broker.hold(FrameType.SETTLE);
            s.recover();
            assertThat(consumer.receive(20)).isNull();
            FakeBroker.await("the word", () -> broker.passed().contains("SETTLE 2-2"));
            broker.release(false);
            Message again = consumer.receive();
            assertThat(Clients.text(again)).isEqualTo("m0");
            assertThat(again.getJMSRedelivered()).isTrue();
        }
    }
}
