package io.weir.lab.messaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.weir.jms.WeirConnectionFactory;
import io.weir.server.users.FileRealm;
import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.InvalidSelectorException;
import jakarta.jms.JMSException;
import jakarta.jms.JMSSecurityException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.ResourceAllocationException;
import jakarta.jms.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What an application asks for and does not get: a clear exception, a counter, and its session goes on, as all others do. */
@Timeout(300)
@Tag("slow")
class LimitsTest {
    private static final int MOST = 3;

    @RegisterExtension
    static final OneServer SERVER = new OneServer(
            "admin.enabled=on",
            "admin.port=0",
            "messaging.queues.q.maximum-message-size=5000",
            "messaging.limits.sessions-per-connection=" + MOST,
            "messaging.limits.consumers-per-session=" + MOST,
            "messaging.limits.temporary-destinations-per-connection=" + MOST,
            "messaging.limits.subscriptions-per-topic=" + MOST,
            "messaging.wire.max-frame=64KiB",
            // a check of a password takes long on a busy machine, and many wait for it
            "messaging.wire.handshake-time-out=5m",
            "messaging.wire.logins.guests=local");

    private final HealthyPair healthy = new HealthyPair(SERVER.get());
    private final Connection connection = SERVER.factory().createConnection();
    private final Session session = connection.createSession();
    private final Queue q = session.createQueue("q");

    LimitsTest() throws JMSException {
        connection.start();
    }

    @AfterEach
    void theSameSessionAndOthersGoOn() throws JMSException {
        session.createProducer(q).send(session.createTextMessage("still"));
        healthy.goesOn();
        healthy.close();
        connection.close();
    }

    private static <E extends JMSException> void refused(
            Class<E> type, String reason, String text, ThrowingCallable call) {
        double before = refusals(reason);
        E e = catchThrowableOfType(type, call);
        assertThat(e).as("refused").isNotNull().hasMessageContaining(text);
        assertThat(refusals(reason)).as("counted").isEqualTo(before + 1);
    }

    private static double refusals(String reason) {
        return SERVER.get().counter("weir_jms_refused_total", "{reason=\"" + reason + "\"}");
    }

    @Test
    void aSelectorThatDoesNotParseSaysWhere() {
        refused(
                InvalidSelectorException.class,
                "invalid-selector",
                "character",
                () -> session.createConsumer(q, "colour = 'red' AND AND size > 3"));
        refused(
                InvalidSelectorException.class,
                "invalid-selector",
                "queue/q",
                () -> session.createConsumer(q, "(".repeat(10_000)));
    }

    @Test
    void aMessageOverTheQueuesMaximumIsRefusedAndOneAtTheBoundIsNot() throws JMSException {
        MessageProducer producer = session.createProducer(q);
        refused(JMSException.class, "message-too-large", "5000", () -> producer.send(bytes(5000)));
        producer.send(bytes(4000));
    }

    @Test
    void aMessageOverTheFrameIsRefusedByTheClientAndItsConnectionGoesOn() throws JMSException {
        MessageProducer anonymous = session.createProducer(null);
        JMSException e = catchThrowableOfType(
                JMSException.class, () -> anonymous.send(session.createQueue("r"), bytes(64 << 10)));
        assertThat(e).hasMessageContaining("65");
        double ended = SERVER.get().counter("weir_wire_faults_total", "");
        session.createProducer(q).send(bytes(100));
        assertThat(SERVER.get().counter("weir_wire_faults_total", "")).isEqualTo(ended);
    }

    private BytesMessage bytes(int size) throws JMSException {
        BytesMessage m = session.createBytesMessage();
        m.writeBytes(new byte[size]);
        return m;
    }

    @Test
    void aDestinationThatDoesNotExistIsSaid() throws JMSException {
        refused(
                InvalidDestinationException.class,
                "invalid-destination",
                "nowhere",
                () -> session.createConsumer(session.createQueue("nowhere")));
        refused(
                InvalidDestinationException.class,
                "invalid-destination",
                "nowhere",
                () -> session.createConsumer(session.createTopic("nowhere")));
        MessageProducer anonymous = session.createProducer(null);
        refused(
                InvalidDestinationException.class,
                "invalid-destination",
                "nowhere",
                () -> anonymous.send(session.createQueue("nowhere"), session.createMessage()));
        refused(
                InvalidDestinationException.class,
                "invalid-destination",
                "topic/q",
                () -> anonymous.send(session.createTopic("q"), session.createMessage()));
    }

    @Test
    void sessionsOfAConnectionAreBounded() throws JMSException {
        List<Session> more = new ArrayList<>();
        for (int i = 1; i < MOST; i++) {
            more.add(connection.createSession());
        }
        refused(
                ResourceAllocationException.class,
                "resource-allocation",
                "sessions-per-connection",
                connection::createSession);
        more.getFirst().close();
        connection.createSession();
    }

    @Test
    void consumersOfASessionAreBounded() throws JMSException {
        List<MessageConsumer> some = new ArrayList<>();
        for (int i = 0; i < MOST; i++) {
            some.add(session.createConsumer(q));
        }
        refused(
                ResourceAllocationException.class,
                "resource-allocation",
                "consumers-per-session",
                () -> session.createConsumer(q));
        some.getFirst().close();
        session.createConsumer(q);
    }

    @Test
    void temporaryDestinationsOfAConnectionAreBounded() throws JMSException {
        for (int i = 1; i < MOST; i++) {
            session.createTemporaryTopic();
        }
        var last = session.createTemporaryQueue();
        refused(
                ResourceAllocationException.class,
                "resource-allocation",
                "temporary-destinations-per-connection",
                session::createTemporaryQueue);
        last.delete();
        session.createTemporaryTopic();
    }

    @Test
    void subscriptionsOfATopicAreBounded() throws JMSException {
        for (int i = 0; i < MOST; i++) {
            session.createSharedDurableConsumer(session.createTopic("t"), "s" + i)
                    .close();
        }
        refused(
                ResourceAllocationException.class,
                "resource-allocation",
                "subscriptions-per-topic",
                () -> session.createSharedDurableConsumer(session.createTopic("t"), "more"));
        for (int i = 0; i < MOST; i++) {
            session.unsubscribe("s" + i);
        }
    }

    @Test
    void aStormOfWrongPasswordsIsRefusedAndOthersLogIn() throws Exception {
        FileRealm realm = new FileRealm(SERVER.get().data());
        realm.set("anna", "secret".toCharArray(), List.of());
        realm.set("bert", "secret".toCharArray(), List.of());
        double before = failures();
        int storm = 40;
        WeirConnectionFactory patient = SERVER.factory("connect-timeout-millis=300000");
        try (ExecutorService many = Executors.newFixedThreadPool(20)) {
            List<Future<?>> attempts = new ArrayList<>();
            for (int i = 0; i < storm; i++) {
                String guess = "guess" + i;
                attempts.add(many.submit(() -> {
                    JMSException e =
                            catchThrowableOfType(JMSException.class, () -> patient.createConnection("anna", guess));
                    // wrong, or no longer asked because there were too many wrong ones
                    assertThat(e).isInstanceOfAny(JMSSecurityException.class, ResourceAllocationException.class);
                }));
            }
            healthy.goesOn();
            for (Future<?> f : attempts) {
                f.get();
            }
        }
        assertThat(failures() - before).isEqualTo(storm);
        assertThat(SERVER.get().counter("weir_wire_logins_total", "{result=\"locked\"}"))
                .as("most without the price of a check")
                .isPositive();
        patient.createConnection("bert", "secret").close();
        patient.createConnection().close();
    }

    private static double failures() {
        double sum = 0;
        for (String result : List.of("wrong", "locked", "busy")) {
            sum += SERVER.get().counter("weir_wire_logins_total", "{result=\"" + result + "\"}");
        }
        return sum;
    }
}
