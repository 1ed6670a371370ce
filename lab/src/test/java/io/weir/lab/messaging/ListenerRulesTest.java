package io.weir.lab.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.Connection;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a listener may do while others close or stop what it belongs to, sections 6.1.8, 6.2.15 and 8.8. */
@Timeout(300)
class ListenerRulesTest {
    @RegisterExtension
    static final OneServer SERVER = new OneServer();

    private static final long MILLIS = 20_000;

    /** What may be closed. */
    private interface Closing {
        void run() throws JMSException;
    }

    private static Closing closing(String what, Connection c, Session s, MessageConsumer in) {
        return switch (what) {
            case "consumer" -> in::close;
            case "session" -> s::close;
            case "stop" -> c::stop;
            default -> c::close;
        };
    }

    /**
     * Whether somebody else than the listener sees that the end has begun. Of a stop nothing is to be seen but its thread,
     * which waits for the listener.
     */
    private static boolean begun(String what, Connection c, Session s, MessageConsumer in, Thread ends) {
        try {
            switch (what) {
                case "consumer" -> in.getMessageSelector();
                case "session" -> s.getTransacted();
                case "stop" -> {
                    return waitsInStop(ends);
                }
                default -> c.getClientID();
            }
            return false;
        } catch (IllegalStateException e) {
            return true;
        } catch (JMSException e) {
            throw new AssertionError(e);
        }
    }

    private static boolean waitsInStop(Thread ends) {
        Thread.State state = ends.getState();
        return (state == Thread.State.WAITING || state == Thread.State.TIMED_WAITING)
                && Arrays.stream(ends.getStackTrace())
                        .map(StackTraceElement::getMethodName)
                        .anyMatch("awaitPaused"::equals);
    }

    @ParameterizedTest
    @ValueSource(strings = {"consumer", "session", "connection", "stop"})
    void aListenerHasAllServicesWhileTheEndWaitsForIt(String what) throws Exception {
        List<String> notes = new CopyOnWriteArrayList<>();
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch ending = new CountDownLatch(1);
        try (Connection c = SERVER.factory().createConnection()) {
            Session s = c.createSession(Session.SESSION_TRANSACTED);
            Queue q = s.createQueue("q");
            MessageConsumer in = s.createConsumer(q);
            in.setMessageListener(m -> {
                inside.countDown();
                try {
                    ending.await();
                    MessageProducer p = s.createProducer(s.createQueue("r"));
                    p.send(s.createTextMessage("re: " + m.getBody(String.class)));
                    s.commit();
                    try (Session another = c.createSession()) {
                        another.createProducer(q).send(another.createTextMessage("second"));
                    }
                    notes.add("listener");
                } catch (JMSException | InterruptedException e) {
                    notes.add(e.toString());
                }
            });
            c.start();
            try (Session out = c.createSession()) {
                out.createProducer(q).send(out.createTextMessage("first"));
            }
            inside.await();
            Closing end = closing(what, c, s, in);
            Thread ends = Thread.ofPlatform().start(() -> {
                try {
                    end.run();
                    notes.add("ended");
                } catch (JMSException e) {
                    notes.add(e.toString());
                }
            });
            Await.until("the end begins", () -> begun(what, c, s, in, ends));
            ending.countDown();
            ends.join(MILLIS);
            assertThat(notes).containsExactly("listener", "ended");
        }
        assertThat(left("r")).containsExactly("re: first");
        assertThat(left("q")).containsExactly("second");
    }

    private static List<String> left(String queue) throws JMSException {
        List<String> texts = new CopyOnWriteArrayList<>();
        try (Connection c = SERVER.factory().createConnection();
                Session s = c.createSession();
                MessageConsumer in = s.createConsumer(s.createQueue(queue))) {
            c.start();
            texts.add(Objects.requireNonNull(in.receive(MILLIS)).getBody(String.class));
            for (Message m = in.receiveNoWait(); m != null; m = in.receiveNoWait()) {
                texts.add(m.getBody(String.class));
            }
        }
        return texts;
    }
}
