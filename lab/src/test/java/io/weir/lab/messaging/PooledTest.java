package io.weir.lab.messaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.Connection;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.TemporaryQueue;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.messaginghub.pooled.jms.JmsPoolConnection;
import org.messaginghub.pooled.jms.JmsPoolConnectionFactory;
import org.messaginghub.pooled.jms.JmsPoolSession;

/** pooled-jms over the connection factory, against a whole server. */
@Timeout(300)
class PooledTest {
    @RegisterExtension
    static final OneServer SERVER = new OneServer();

    private static final long MILLIS = 20_000;
    private final JmsPoolConnectionFactory pool = pool(SERVER.get());

    @TempDir
    private Path home = Path.of("");

    private static JmsPoolConnectionFactory pool(MessagingServer server) {
        JmsPoolConnectionFactory pool = new JmsPoolConnectionFactory();
        pool.setConnectionFactory(server.factory());
        pool.setMaxConnections(2);
        pool.setMaxSessionsPerConnection(4);
        pool.setBlockIfSessionPoolIsFull(true);
        pool.setBlockIfSessionPoolIsFullTimeout(MILLIS);
        return pool;
    }

    @AfterEach
    void close() {
        pool.stop();
    }

    private static Connection under(Connection pooled) throws JMSException {
        return ((JmsPoolConnection) pooled).getConnection();
    }

    private static Session under(Session pooled) throws JMSException {
        return ((JmsPoolSession) pooled).getInternalSession();
    }

    /** Sends one and receives one, with everything opened and closed for it. */
    private static String roundTrip(JmsPoolConnectionFactory pool, String text) throws JMSException {
        try (Connection c = pool.createConnection();
                Session s = c.createSession(false, Session.AUTO_ACKNOWLEDGE)) {
            c.start();
            Queue q = s.createQueue("q");
            try (MessageProducer p = s.createProducer(q);
                    MessageConsumer in = s.createConsumer(q)) {
                p.send(s.createTextMessage(text));
                return Objects.requireNonNull(in.receive(MILLIS)).getBody(String.class);
            }
        }
    }

    @Test
    void connectionsAndSessionsAreUsedAgain() throws Exception {
        pool.setMaxConnections(1);
        Session session;
        Connection connection;
        try (Connection c = pool.createConnection();
                Session s = c.createSession(false, Session.AUTO_ACKNOWLEDGE)) {
            session = under(s);
            connection = under(c);
        }
        try (Connection c = pool.createConnection();
                Session s = c.createSession(false, Session.AUTO_ACKNOWLEDGE);
                Session transacted = c.createSession(true, Session.SESSION_TRANSACTED)) {
            assertThat(under(c)).isSameAs(connection);
            assertThat(under(s)).isSameAs(session);
            assertThat(under(transacted)).isNotSameAs(session);
        }
        assertThat(pool.getNumConnections()).isEqualTo(1);
    }

    @Test
    void manyThreadsShareFewConnectionsAndEveryMessageComesOnce() throws Exception {
        Arrivals arrivals = new Arrivals();
        try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
            List<CompletableFuture<Void>> all = new ArrayList<>();
            for (int t = 0; t < 8; t++) {
                int first = t * 25;
                all.add(CompletableFuture.runAsync(() -> takeTurns(first, arrivals), threads));
            }
            CompletableFuture.allOf(all.toArray(CompletableFuture<?>[]::new)).get(MILLIS, TimeUnit.MILLISECONDS);
        }
        arrivals.awaitOnce("m", 200);
        assertThat(pool.getNumConnections()).isLessThanOrEqualTo(2);
    }

    private void takeTurns(int first, Arrivals arrivals) {
        try {
            for (int i = first; i < first + 25; i++) {
                arrivals.add(roundTrip(pool, "m" + i));
            }
        } catch (JMSException e) {
            throw new java.lang.IllegalStateException(e);
        }
    }

    @Test
    void whatIsLeftInATransactedSessionIsRolledBackWhenItReturnsToThePool() throws Exception {
        try (Connection c = pool.createConnection();
                Session s = c.createSession(true, Session.SESSION_TRANSACTED)) {
            s.createProducer(s.createQueue("q")).send(s.createTextMessage("never"));
        }
        assertThat(roundTrip(pool, "only")).isEqualTo("only");
    }

    @Test
    void aReceivedButUncommittedMessageIsThereForTheNext() throws Exception {
        try (Connection c = pool.createConnection()) {
            c.start();
            try (Session s = c.createSession(true, Session.SESSION_TRANSACTED)) {
                s.createProducer(s.createQueue("q")).send(s.createTextMessage("kept"));
                s.commit();
                assertThat(s.createConsumer(s.createQueue("q")).receive(MILLIS)).isNotNull();
            }
            try (Session s = c.createSession(true, Session.SESSION_TRANSACTED)) {
                Message again = Objects.requireNonNull(
                        s.createConsumer(s.createQueue("q")).receive(MILLIS));
                assertThat(again.getBody(String.class)).isEqualTo("kept");
                assertThat(again.getJMSRedelivered()).isTrue();
                s.commit();
            }
        }
    }

    @Test
    void temporaryQueuesEndWithTheConnectionThatThePoolLent() throws Exception {
        Connection c = pool.createConnection();
        Session s = c.createSession(false, Session.AUTO_ACKNOWLEDGE);
        TemporaryQueue temporary = s.createTemporaryQueue();
        c.start();
        s.createProducer(temporary).send(s.createTextMessage("x"));
        assertThat(s.createConsumer(temporary).receive(MILLIS)).isNotNull();
        c.close();
        try (JMSContext other = SERVER.factory().createContext()) {
            assertThatThrownBy(() -> other.createProducer().send(temporary, "x"))
                    .isInstanceOf(jakarta.jms.InvalidDestinationRuntimeException.class);
        }
    }

    @Test
    void aClosedPooledSessionRefusesItsUse() throws Exception {
        try (Connection c = pool.createConnection()) {
            Session s = c.createSession(false, Session.AUTO_ACKNOWLEDGE);
            s.close();
            assertThatThrownBy(s::createTextMessage).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void theSimplifiedApiWorksThroughThePool() throws Exception {
        try (JMSContext context = pool.createContext()) {
            Queue q = context.createQueue("q");
            context.createProducer().setProperty("n", 1).send(q, "simple");
            try (JMSConsumer in = context.createConsumer(q, "n = 1")) {
                // the pool's consumers have no receiveBody
                Message got = Objects.requireNonNull(in.receive(MILLIS));
                assertThat(got.getBody(String.class)).isEqualTo("simple");
            }
        }
        try (JMSContext context = pool.createContext(JMSContext.SESSION_TRANSACTED)) {
            context.createProducer().send(context.createQueue("q"), "never");
            context.rollback();
            assertThat(context.createConsumer(context.createQueue("q")).receiveNoWait())
                    .isNull();
        }
    }

    @Test
    void idleConnectionsAreClosedAndMadeAgain() throws Exception {
        pool.setMaxConnections(1);
        pool.setConnectionIdleTimeout(1);
        Connection c = pool.createConnection();
        Connection first = under(c);
        c.close();
        Await.until("idle", () -> isIdle(first));
        assertThat(roundTrip(pool, "again")).isEqualTo("again");
    }

    /** The pool looks at idleness when a connection is asked for. */
    private boolean isIdle(Connection first) {
        try (Connection c = pool.createConnection()) {
            return !under(c).equals(first);
        } catch (JMSException e) {
            throw new java.lang.IllegalStateException(e);
        }
    }

    @Test
    void aPoolWhoseServerWasStartedAgainGoesOn() throws Exception {
        try (MessagingServer own = MessagingServer.start(home)) {
            JmsPoolConnectionFactory outlasting = pool(own);
            assertThat(roundTrip(outlasting, "before")).isEqualTo("before");
            own.stop();
            own.startAgain();
            assertThat(roundTrip(outlasting, "after")).isEqualTo("after");
            outlasting.stop();
        }
    }
}
