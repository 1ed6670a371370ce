package io.weir.jms.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.jms.client.link.Link;
import io.weir.jms.client.link.Runtimes;
import io.weir.jms.frames.FrameType;
import io.weir.jms.message.WeirQueue;
import jakarta.jms.IllegalStateException;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.TemporaryQueue;
import jakarta.jms.TransactionRolledBackException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a lost connection brings, by ReconnectPolicy. */
class ReconnectTest {
    private static final WeirQueue DEMO = new WeirQueue("demo");

    private final FakeBroker broker = new FakeBroker();

    @AfterEach
    void close() {
        broker.close();
    }

    private void cutAndWait() {
        broker.cut();
        FakeBroker.await("the connection to come back", () -> !broker.peers.isEmpty());
    }

    @Test
    void withoutReconnectingTheConnectionFailsAndSaysSo() throws Exception {
        try (ClientConnection c = Clients.started(broker, "reconnect-policy=none")) {
            CompletableFuture<JMSException> told = new CompletableFuture<>();
            c.setExceptionListener(told::complete);
            Session s = c.createSession();
            MessageProducer p = s.createProducer(DEMO);
            MessageConsumer consumer = s.createConsumer(DEMO);
            broker.cut();
            assertThat(told.get(3, TimeUnit.MINUTES)).hasMessageContaining("lost");
            assertThatThrownBy(() -> p.send(s.createMessage())).isInstanceOf(JMSException.class);
            assertThatThrownBy(consumer::receive).isInstanceOf(JMSException.class);
        }
    }

    @Test
    void producersGoOnAndConsumersAreClosedByTheDefaultPolicy() throws Exception {
        try (ClientConnection c = Clients.started(broker, "client-id=me")) {
            CompletableFuture<JMSException> told = new CompletableFuture<>();
            c.setExceptionListener(told::complete);
            Session sending = c.createSession();
            MessageProducer p = sending.createProducer(DEMO);
            p.send(sending.createTextMessage("before"));
            Session receiving = c.createSession();
            MessageConsumer consumer = receiving.createConsumer(DEMO);
            broker.cut();
            assertThat(told.get(3, TimeUnit.MINUTES)).hasMessageContaining("lost");
            p.send(sending.createTextMessage("after"));
            assertThat(broker.depth(FakePeer.queue("demo"))).isEqualTo(2);
            assertThat(broker.heard(FrameType.SET_CLIENT_ID)).containsExactly("me", "me");
            assertThatThrownBy(consumer::receive).isInstanceOf(IllegalStateException.class);
            assertThat(Clients.text(c.createSession().createConsumer(DEMO).receive(10_000)))
                    .isEqualTo("before");
        }
    }

    @Test
    void consumersComeBackWithPolicyAllAndSeeUnacknowledgedMessagesAgain() throws Exception {
        try (ClientConnection c = Clients.started(broker, "reconnect-policy=all")) {
            Session sending = c.createSession();
            MessageProducer p = sending.createProducer(DEMO);
            BlockingQueue<Message> heard = new LinkedBlockingQueue<>();
            Session s = c.createSession(Session.CLIENT_ACKNOWLEDGE);
            s.createConsumer(DEMO).setMessageListener(heard::add);
            p.send(sending.createTextMessage("one"));
            assertThat(heard.poll(3, TimeUnit.MINUTES)).isNotNull();
            cutAndWait();
            Message again = heard.poll(3, TimeUnit.MINUTES);
            assertThat(Clients.text(again)).isEqualTo("one");
            assertThat(again.getJMSRedelivered()).isTrue();
            again.acknowledge();
            p.send(sending.createTextMessage("two"));
            assertThat(Clients.text(heard.poll(3, TimeUnit.MINUTES))).isEqualTo("two");
        }
    }

    @Test
    void aReceiveThatWaitsGoesOnWithPolicyAll() throws Exception {
        try (ClientConnection c = Clients.started(broker, "reconnect-policy=all")) {
            MessageConsumer consumer = c.createSession().createConsumer(DEMO);
            CompletableFuture<String> got = CompletableFuture.supplyAsync(
                    () -> Runtimes.get(() -> String.valueOf(Clients.text(consumer.receive()))));
            FakeBroker.await("the receive", () -> broker.count(FrameType.RECEIVE) == 1);
            broker.cut();
            FakeBroker.await("the receive again", () -> got.isDone() || broker.count(FrameType.RECEIVE) == 2);
            assertThat(got).isNotDone();
            Session s = c.createSession();
            s.createProducer(DEMO).send(s.createTextMessage("late"));
            assertThat(got.get(3, TimeUnit.MINUTES)).isEqualTo("late");
        }
    }

    @Test
    void aTransactionThatWasOpenIsRolledBack() throws Exception {
        try (ClientConnection c = Clients.started(broker)) {
            Session s = c.createSession(Session.SESSION_TRANSACTED);
            MessageProducer p = s.createProducer(DEMO);
            p.send(s.createTextMessage("lost"));
            cutAndWait();
            assertThatThrownBy(s::commit).isInstanceOf(TransactionRolledBackException.class);
            p.send(s.createTextMessage("kept"));
            s.commit();
            assertThat(broker.depth(FakePeer.queue("demo"))).isEqualTo(1);
        }
    }

    @Test
    void aTransactionThatSawTwoLossesIsRolledBack() throws Exception {
        try (ClientConnection c = Clients.started(broker)) {
            Session s = c.createSession(Session.SESSION_TRANSACTED);
            MessageProducer p = s.createProducer(DEMO);
            p.send(s.createTextMessage("lost"));
            cutAndWait();
            c.createSession().close();
            cutAndWait();
            assertThatThrownBy(s::commit).isInstanceOf(TransactionRolledBackException.class);
        }
    }

    @Test
    void whatCameToALostTransactionAfterwardsIsRolledBackWithIt() throws Exception {
        try (ClientConnection c = Clients.started(broker)) {
            Session s = c.createSession(Session.SESSION_TRANSACTED);
            MessageProducer p = s.createProducer(DEMO);
            p.send(s.createTextMessage("lost"));
            cutAndWait();
            p.send(s.createTextMessage("lost with it"));
            assertThatThrownBy(s::commit).isInstanceOf(TransactionRolledBackException.class);
            p.send(s.createTextMessage("kept"));
            s.commit();
            assertThat(broker.depth(FakePeer.queue("demo"))).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"all", "producer"})
    void aConsumerCreatedWhileTheConnectionIsLostIsOpenedOnce(String policy) throws Exception {
        try (ClientConnection c = Clients.started(broker, "reconnect-policy=" + policy)) {
            Session s = c.createSession();
            broker.hold(FrameType.OPEN_SESSION);
            broker.cut();
            FakeBroker.await("the session to be made again", () -> broker.count(FrameType.OPEN_SESSION) == 2);
            CompletableFuture<MessageConsumer> made = new CompletableFuture<>();
            Thread maker = Thread.ofPlatform().start(() -> {
                try {
                    made.complete(s.createConsumer(DEMO));
                } catch (JMSException e) {
                    made.completeExceptionally(e);
                }
            });
            FakeBroker.await("it to wait", () -> maker.getState() == Thread.State.TIMED_WAITING);
            broker.release(false);
            MessageConsumer consumer = made.get(3, TimeUnit.MINUTES);
            assertThat(broker.count(FrameType.OPEN_CONSUMER)).isEqualTo(1);
            Session sending = c.createSession();
            sending.createProducer(DEMO).send(sending.createTextMessage("one"));
            assertThat(Clients.text(consumer.receive(10_000))).isEqualTo("one");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"all", "producer"})
    void listenersThatWaitForTheConnectionDoNotKeepItFromComingBack(String policy) throws Exception {
        try (ClientConnection c =
                Clients.started(broker, "reconnect-policy=" + policy + "", "client-thread-pool-size=1")) {
            CompletableFuture<String> did = new CompletableFuture<>();
            Session sending = c.createSession();
            MessageProducer p = sending.createProducer(new WeirQueue("other"));
            c.createSession()
                    .createConsumer(DEMO)
                    .setMessageListener(m -> did.complete(Runtimes.get(() -> {
                        Link before = c.awaitLink();
                        broker.cut();
                        FakeBroker.await("the loss", before::isClosed);
                        p.send(sending.createTextMessage("sent"));
                        return "sent";
                    })));
            Session first = c.createSession();
            first.createProducer(DEMO).send(first.createTextMessage("go"));
            assertThat(did.get(3, TimeUnit.MINUTES)).isEqualTo("sent");
        }
    }

    @Test
    void operationsWaitForTheConnectionNoLongerThanTheyAreTold() throws Exception {
        try (ClientConnection c = Clients.started(broker, "reconnect-blocking-millis=20")) {
            Session s = c.createSession();
            MessageProducer p = s.createProducer(DEMO);
            broker.stopListening();
            broker.cut();
            assertThatThrownBy(() -> {
                        while (true) {
                            p.send(s.createMessage());
                        }
                    })
                    .isInstanceOf(JMSException.class);
            assertThatThrownBy(() -> p.send(s.createMessage())).hasMessageContaining("within 20 ms");
        }
    }

    @Test
    void tryingEndsAfterTheTotalPeriod() throws Exception {
        try (ClientConnection c = Clients.started(broker, "total-reconnect-period-millis=50")) {
            CompletableFuture<JMSException> told = new CompletableFuture<>();
            c.setExceptionListener(told::complete);
            Session s = c.createSession();
            broker.stopListening();
            broker.cut();
            assertThat(told.get(3, TimeUnit.MINUTES)).hasMessageContaining("no connection to");
            assertThatThrownBy(s::createTemporaryQueue).isInstanceOf(JMSException.class);
        }
    }

    @Test
    void temporaryDestinationsAreGoneWithTheConnectionAndThatIsSaid() throws Exception {
        try (ClientConnection c = Clients.started(broker)) {
            Session s = c.createSession();
            TemporaryQueue temporary = s.createTemporaryQueue();
            cutAndWait();
            assertThatThrownBy(() -> c.createSession().createConsumer(temporary))
                    .isInstanceOf(InvalidDestinationException.class);
        }
    }

    @Test
    void closingWhileTheConnectionIsLostDoesNotWait() throws Exception {
        ClientConnection c = Clients.started(broker);
        c.createSession().createConsumer(DEMO);
        broker.stopListening();
        broker.cut();
        c.close();
    }
}
