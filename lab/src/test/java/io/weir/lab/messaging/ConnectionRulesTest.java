package io.weir.lab.messaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.weir.jms.WeirConnectionFactory;
import jakarta.jms.Connection;
import jakarta.jms.ConnectionMetaData;
import jakarta.jms.ExceptionListener;
import jakarta.jms.IllegalStateException;
import jakarta.jms.InvalidClientIDException;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.QueueConnection;
import jakarta.jms.QueueSession;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import jakarta.jms.TopicConnection;
import jakarta.jms.TopicSession;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Connections and sessions: identifiers, start and stop, close, loss; sections 6.1 and 6.2. */
@Timeout(300)
class ConnectionRulesTest {
    @RegisterExtension
    static final OneServer SERVER = new OneServer();

    private static final long MILLIS = 20_000;
    private static final int RACES = 200;
    private final Connection connection = SERVER.factory().createConnection();
    private final Session session = connection.createSession();
    private final Queue q = session.createQueue("q");

    @TempDir
    private Path home = Path.of("");

    ConnectionRulesTest() throws JMSException {}

    @AfterEach
    void close() throws JMSException {
        connection.close();
    }

    private void send(String... texts) throws JMSException {
        try (Connection other = SERVER.factory().createConnection()) {
            Session s = other.createSession();
            MessageProducer p = s.createProducer(s.createQueue("q"));
            for (String text : texts) {
                p.send(s.createTextMessage(text));
            }
        }
    }

    // ---- client identifiers

    @Test
    void aClientIdIsSetBeforeAnythingElseAndOnce() throws Exception {
        try (Connection c = SERVER.factory().createConnection()) {
            assertThat(c.getClientID()).isNull();
            c.setClientID("one");
            assertThat(c.getClientID()).isEqualTo("one");
            assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> c.setClientID("two"));
        }
        assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> connection.setClientID("late"));
    }

    @Test
    void aClientIdBelongsToOneConnectionUntilThatIsClosed() throws Exception {
        Connection first = SERVER.factory().createConnection();
        first.setClientID("mine");
        try (Connection second = SERVER.factory().createConnection()) {
            assertThatExceptionOfType(InvalidClientIDException.class).isThrownBy(() -> second.setClientID("mine"));
            first.close();
            second.setClientID("mine");
        }
    }

    @Test
    void theFactorysClientIdIsTheConnections() throws Exception {
        try (Connection c = SERVER.factory("client-id=configured").createConnection()) {
            assertThat(c.getClientID()).isEqualTo("configured");
            assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> c.setClientID("other"));
        }
    }

    @Test
    @SuppressWarnings("NullAway") // what the test is about
    void anEmptyClientIdIsInvalid() throws Exception {
        try (Connection c = SERVER.factory().createConnection()) {
            assertThatExceptionOfType(InvalidClientIDException.class).isThrownBy(() -> c.setClientID(""));
            assertThatExceptionOfType(InvalidClientIDException.class).isThrownBy(() -> c.setClientID(null));
        }
    }

    // ---- meta data, kinds of connections and sessions

    @Test
    void theMetaDataSaysWhatThisIs() throws Exception {
        ConnectionMetaData about = connection.getMetaData();
        assertThat(about.getJMSMajorVersion()).isEqualTo(3);
        assertThat(about.getJMSMinorVersion()).isEqualTo(1);
        assertThat(about.getJMSVersion()).isEqualTo("3.1");
        assertThat(about.getJMSProviderName()).isNotBlank();
        assertThat(about.getProviderVersion()).isNotBlank();
        List<Object> names = new ArrayList<>();
        for (Enumeration<?> all = about.getJMSXPropertyNames(); all.hasMoreElements(); ) {
            names.add(all.nextElement());
        }
        assertThat(names).contains("JMSXDeliveryCount", "JMSXGroupID", "JMSXGroupSeq");
    }

    @Test
    void oneFactoryServesAllApis() throws Exception {
        WeirConnectionFactory factory = SERVER.factory();
        try (Connection c = factory.createConnection();
                JMSContext x = factory.createContext()) {
            assertThat(c.createSession().getTransacted()).isFalse();
            assertThat(x.getTransacted()).isFalse();
        }
        try (QueueConnection c = factory.createQueueConnection();
                QueueSession s = c.createQueueSession(false, Session.AUTO_ACKNOWLEDGE)) {
            s.createSender(s.createQueue("q")).send(s.createTextMessage("queue"));
            c.start();
            assertThat(s.createReceiver(q).receive(MILLIS)).isNotNull();
            assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> s.createTopic("t"));
        }
        try (TopicConnection c = factory.createTopicConnection();
                TopicSession s = c.createTopicSession(false, Session.AUTO_ACKNOWLEDGE)) {
            Topic t = s.createTopic("t");
            var in = s.createSubscriber(t, null, true);
            assertThat(in.getTopic()).isEqualTo(t);
            assertThat(in.getNoLocal()).isTrue();
            s.createPublisher(t).publish(s.createTextMessage("mine"));
            c.start();
            assertThat(in.receiveNoWait()).isNull();
            assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> s.createQueue("q"));
        }
    }

    @Test
    void sessionsAreMadeInEveryWay() throws Exception {
        assertThat(connection.createSession().getAcknowledgeMode()).isEqualTo(Session.AUTO_ACKNOWLEDGE);
        assertThat(connection.createSession(Session.CLIENT_ACKNOWLEDGE).getAcknowledgeMode())
                .isEqualTo(Session.CLIENT_ACKNOWLEDGE);
        assertThat(connection.createSession(false, Session.DUPS_OK_ACKNOWLEDGE).getAcknowledgeMode())
                .isEqualTo(Session.DUPS_OK_ACKNOWLEDGE);
        assertThat(connection.createSession(true, Session.AUTO_ACKNOWLEDGE).getAcknowledgeMode())
                .isEqualTo(Session.SESSION_TRANSACTED);
        assertThatExceptionOfType(JMSException.class).isThrownBy(() -> connection.createSession(77));
        assertThatExceptionOfType(JMSException.class)
                .isThrownBy(() -> connection.createSession(false, Session.SESSION_TRANSACTED));
    }

    @Test
    void factoryConnectionAndDestinationsServeManyThreads() throws Exception {
        Arrivals arrivals = new Arrivals();
        WeirConnectionFactory factory = SERVER.factory();
        connection.start();
        try (ExecutorService threads = Executors.newFixedThreadPool(6)) {
            for (int t = 0; t < 6; t++) {
                int first = t * 20;
                threads.execute(() -> {
                    try (Connection own = factory.createConnection();
                            Session mine = own.createSession();
                            Session shared = connection.createSession()) {
                        own.start();
                        MessageProducer p = mine.createProducer(q);
                        MessageConsumer in = shared.createConsumer(q);
                        for (int i = first; i < first + 20; i++) {
                            p.send(mine.createTextMessage("m" + i));
                            arrivals.onMessage(Objects.requireNonNull(in.receive(MILLIS)));
                        }
                    } catch (JMSException e) {
                        arrivals.add(e.toString());
                    }
                });
            }
        }
        arrivals.awaitOnce("m", 120);
    }

    // ---- start and stop

    @Test
    void aConnectionDeliversNothingBeforeItsStartButSends() throws Exception {
        session.createProducer(q).send(session.createTextMessage("x"));
        Arrivals arrivals = new Arrivals();
        MessageConsumer in = session.createConsumer(q);
        assertThat(in.receiveNoWait()).isNull();
        assertThat(in.receive(1)).isNull();
        in.setMessageListener(arrivals);
        assertThat(arrivals.texts()).isEmpty();
        connection.start();
        arrivals.await(1);
    }

    @Test
    void aStoppedConnectionDeliversNothingUntilItsStart() throws Exception {
        MessageConsumer in = session.createConsumer(q);
        connection.start();
        send("a");
        assertThat(Objects.requireNonNull(in.receive(MILLIS)).getBody(String.class))
                .isEqualTo("a");
        connection.stop();
        connection.stop();
        send("b");
        assertThat(in.receiveNoWait()).isNull();
        assertThat(in.receive(1)).as("its time runs on").isNull();
        connection.start();
        connection.start();
        assertThat(Objects.requireNonNull(in.receive(MILLIS)).getBody(String.class))
                .isEqualTo("b");
    }

    @Test
    void stopWaitsForAListenerWhichHasAllServicesMeanwhile() throws Exception {
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch stopping = new CountDownLatch(1);
        List<String> notes = new CopyOnWriteArrayList<>();
        session.createConsumer(q).setMessageListener(_ -> {
            try {
                inside.countDown();
                stopping.await();
                session.createProducer(session.createQueue("r")).send(session.createTextMessage("while stopping"));
                notes.add("listener");
            } catch (InterruptedException | JMSException e) {
                notes.add(e.toString());
            }
        });
        connection.start();
        send("x");
        inside.await();
        CompletableFuture<Void> stopped = CompletableFuture.runAsync(() -> {
            try {
                stopping.countDown();
                connection.stop();
                notes.add("stopped");
            } catch (JMSException e) {
                notes.add(e.toString());
            }
        });
        stopped.get(MILLIS, TimeUnit.MILLISECONDS);
        assertThat(notes).containsExactly("listener", "stopped");
    }

    @Test
    void aListenerMustNotStopOrCloseItsConnectionOrSession() throws Exception {
        List<String> notes = new CopyOnWriteArrayList<>();
        CountDownLatch done = new CountDownLatch(1);
        session.createConsumer(q).setMessageListener(_ -> {
            for (Closing forbidden : List.<Closing>of(connection::stop, connection::close, session::close)) {
                try {
                    forbidden.run();
                    notes.add("done");
                } catch (IllegalStateException e) {
                    notes.add("refused");
                } catch (JMSException e) {
                    notes.add(e.toString());
                }
            }
            done.countDown();
        });
        connection.start();
        send("x");
        done.await();
        assertThat(notes).containsExactly("refused", "refused", "refused");
    }

    /** What a listener tries. */
    private interface Closing {
        void run() throws JMSException;
    }

    @Test
    void aListenerMayCloseItsConsumer() throws Exception {
        List<String> notes = new CopyOnWriteArrayList<>();
        MessageConsumer in = session.createConsumer(q);
        in.setMessageListener(m -> {
            try {
                notes.add(m.getBody(String.class));
                in.close();
            } catch (JMSException e) {
                notes.add(e.toString());
            }
        });
        send("a", "b");
        connection.start();
        Await.until("a", () -> !notes.isEmpty());
        try (Connection other = SERVER.factory().createConnection()) {
            other.start();
            Message left = Objects.requireNonNull(
                    other.createSession().createConsumer(q).receive(MILLIS));
            assertThat(left.getBody(String.class)).isEqualTo("b");
            assertThat(left.getJMSRedelivered()).isFalse();
        }
        assertThat(notes).containsExactly("a");
    }

    // ---- close

    @Test
    void whatIsClosedRefusesItsUseAndMayBeClosedAgain() throws Exception {
        Connection c = SERVER.factory().createConnection();
        Session s = c.createSession();
        MessageProducer p = s.createProducer(q);
        MessageConsumer in = s.createConsumer(q);
        Message m = s.createTextMessage("usable");
        c.close();
        c.close();
        s.close();
        p.close();
        in.close();
        List<Closing> uses = List.of(
                c::createSession,
                c::getClientID,
                c::getMetaData,
                c::start,
                c::stop,
                s::createTextMessage,
                s::getTransacted,
                s::recover,
                () -> s.createConsumer(q),
                p::getPriority,
                () -> p.send(m),
                in::receiveNoWait,
                in::getMessageSelector,
                in::getMessageListener);
        for (Closing use : uses) {
            assertThatExceptionOfType(IllegalStateException.class).isThrownBy(use::run);
        }
        assertThat(m.getBody(String.class)).isEqualTo("usable");
    }

    @Test
    void closeEndsAPendingReceive() throws Exception {
        for (String what : List.of("consumer", "session", "connection")) {
            Connection c = SERVER.factory().createConnection();
            c.start();
            Session s = c.createSession();
            MessageConsumer in = s.createConsumer(q);
            CountDownLatch before = new CountDownLatch(1);
            CompletableFuture<Boolean> empty = CompletableFuture.supplyAsync(() -> {
                try {
                    before.countDown();
                    return in.receive() == null;
                } catch (IllegalStateException e) {
                    // it was closed before the receive began
                    return true;
                } catch (JMSException e) {
                    throw new AssertionError(e);
                }
            });
            before.await();
            Closing close = switch (what) {
                case "consumer" -> in::close;
                case "session" -> s::close;
                default -> c::close;
            };
            close.run();
            assertThat(empty.get(MILLIS, TimeUnit.MILLISECONDS)).as(what).isTrue();
            c.close();
        }
    }

    /** The one call that may come from another thread; a receive in progress completes first (6.2.15). */
    @Test
    void aSessionThatIsClosedWhileAnotherThreadReceivesEndsNothingElse() throws Exception {
        try (Connection c = SERVER.factory().createConnection()) {
            c.start();
            Session other = c.createSession();
            for (int i = 0; i < RACES; i++) {
                Session s = c.createSession();
                MessageConsumer in = s.createConsumer(q);
                CountDownLatch before = new CountDownLatch(1);
                CompletableFuture<Void> receiving = CompletableFuture.runAsync(() -> {
                    try {
                        before.countDown();
                        while (true) {
                            in.receiveNoWait();
                        }
                    } catch (IllegalStateException e) {
                        // closed, as it must be
                    } catch (JMSException e) {
                        throw new AssertionError(e);
                    }
                });
                before.await();
                s.close();
                receiving.get(MILLIS, TimeUnit.MILLISECONDS);
                other.createBrowser(q).close();
            }
            MessageProducer out = other.createProducer(q);
            out.send(other.createTextMessage("the connection lives"));
            assertThat(other.createConsumer(q).receive(MILLIS).getBody(String.class))
                    .isEqualTo("the connection lives");
        }
    }

    @Test
    void closeWaitsForARunningListener() throws Exception {
        for (String what : List.of("consumer", "session", "connection")) {
            Connection c = SERVER.factory().createConnection();
            Session s = c.createSession();
            MessageConsumer in = s.createConsumer(q);
            CountDownLatch inside = new CountDownLatch(1);
            CountDownLatch closing = new CountDownLatch(1);
            List<String> notes = new CopyOnWriteArrayList<>();
            in.setMessageListener(_ -> {
                inside.countDown();
                try {
                    closing.await();
                } catch (InterruptedException e) {
                    notes.add(e.toString());
                }
                Thread.onSpinWait();
                notes.add("listener");
            });
            c.start();
            send("x");
            inside.await();
            Closing close = switch (what) {
                case "consumer" -> in::close;
                case "session" -> s::close;
                default -> c::close;
            };
            closing.countDown();
            close.run();
            notes.add("closed");
            assertThat(notes).as(what).containsExactly("listener", "closed");
            c.close();
        }
    }

    // ---- loss

    @Test
    void theExceptionListenerHearsOfAServerThatDies() throws Exception {
        MessagingServer own = MessagingServer.start(home);
        CompletableFuture<JMSException> heard = new CompletableFuture<>();
        try (Connection c = own.factory("reconnect-policy=none").createConnection()) {
            ExceptionListener listener = heard::complete;
            c.setExceptionListener(listener);
            assertThat(c.getExceptionListener()).isSameAs(listener);
            c.start();
            MessageConsumer in = c.createSession().createConsumer(q);
            CompletableFuture<Boolean> waiting = CompletableFuture.supplyAsync(() -> {
                try {
                    return in.receive() == null;
                } catch (JMSException e) {
                    return true;
                }
            });
            own.close();
            assertThat(heard.get(MILLIS, TimeUnit.MILLISECONDS)).isNotNull();
            assertThat(waiting.get(MILLIS, TimeUnit.MILLISECONDS)).isTrue();
            assertThatExceptionOfType(JMSException.class).isThrownBy(c::createSession);
        }
    }

    @Test
    void whatACallThrowsTheExceptionListenerDoesNotHear() throws Exception {
        List<JMSException> heard = new CopyOnWriteArrayList<>();
        connection.setExceptionListener(heard::add);
        assertThatExceptionOfType(JMSException.class).isThrownBy(() -> session.createConsumer(q, "a ="));
        assertThatExceptionOfType(JMSException.class)
                .isThrownBy(() -> session.createConsumer(session.createQueue("nowhere")));
        connection.close();
        assertThat(heard).isEmpty();
    }

    @Test
    void messageIdsAreUniqueOverARestart() throws Exception {
        List<String> ids = new ArrayList<>();
        try (MessagingServer own = MessagingServer.start(home)) {
            for (int run = 0; run < 2; run++) {
                try (Connection c = own.factory().createConnection();
                        Connection d = own.factory().createConnection()) {
                    for (Connection each : List.of(c, d)) {
                        Session s = each.createSession();
                        MessageProducer p = s.createProducer(q);
                        for (int i = 0; i < 3; i++) {
                            Message m = s.createMessage();
                            p.send(m);
                            ids.add(m.getJMSMessageID());
                        }
                    }
                }
                own.stop();
                own.startAgain();
            }
        }
        assertThat(ids).hasSize(12).doesNotHaveDuplicates();
    }
}
