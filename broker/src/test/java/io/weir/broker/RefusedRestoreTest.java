package io.weir.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.jms.WeirConnectionFactory;
import io.weir.jms.frames.FrameType;
import jakarta.jms.Connection;
import jakarta.jms.InvalidClientIDException;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A server that takes the connection and not what is to be opened on it: tried again with pauses, said, and given up in time. */
@Timeout(300)
class RefusedRestoreTest {
    private RealBroker broker;
    private Relay relay;
    private final BlockingQueue<JMSException> told = new LinkedBlockingQueue<>();

    @BeforeEach
    void open() throws Exception {
        broker = new RealBroker(null);
        relay = new Relay(broker);
    }

    @AfterEach
    void close() throws Exception {
        relay.close();
        broker.close();
    }

    private Connection connect(String... options) throws JMSException {
        Connection c = new WeirConnectionFactory(relay.url(options)).createConnection();
        c.setExceptionListener(told::add);
        c.start();
        return c;
    }

    /** Somebody else has the client identifier before the client is back. */
    private JMSContext takeItsIdentifier(String id) {
        relay.down();
        relay.cut();
        Relay.await("it to notice", () -> relay.turnedAway() > 0);
        while (true) {
            try {
                return broker.factory("client-id=" + id).createContext();
            } catch (jakarta.jms.JMSRuntimeException e) {
                // the broker has not noticed yet
                Thread.onSpinWait();
            }
        }
    }

    @Test
    void aRefusedRestoreIsTriedWithPausesAndGivenUpInTimeAndTheExceptionListenerHearsWhy() throws Exception {
        try (Connection c = connect("client-id=me", "reconnect-policy=all", "total-reconnect-period-millis=1000")) {
            Session s = c.createSession();
            try (JMSContext other = takeItsIdentifier("me")) {
                int before = relay.connections();
                relay.up();
                JMSException first = told.poll(60, TimeUnit.SECONDS);
                assertThat(first).isInstanceOf(InvalidClientIDException.class).hasMessageContaining("me");
                JMSException last = told.poll(60, TimeUnit.SECONDS);
                assertThat(last).hasMessageContaining("reconnection is aborted").hasMessageContaining("1000 ms");
                assertThat(last).hasRootCauseInstanceOf(InvalidClientIDException.class);
                // 0, 100, 200, 400 ms and so on, less up to half
                assertThat(relay.connections() - before).isBetween(1, 10);
                assertThatThrownBy(s::createTemporaryQueue).hasMessageContaining("reconnection is aborted");
                assertThat(other.getClientID()).isEqualTo("me");
            }
            int after = relay.connections();
            assertThat(told).isEmpty();
            assertThat(relay.connections()).isEqualTo(after);
        }
    }

    @Test
    void whatIsNotRefusedAnyMoreComesBack() throws Exception {
        try (Connection c = connect("client-id=me", "reconnect-policy=all")) {
            Session s = c.createSession();
            try (JMSContext other = takeItsIdentifier("me")) {
                relay.up();
                assertThat(told.poll(60, TimeUnit.SECONDS)).isInstanceOf(InvalidClientIDException.class);
                assertThat(other.getClientID()).isEqualTo("me");
            }
            s.createTemporaryQueue().delete();
            assertThat(told).isEmpty();
        }
    }

    @Test
    void aLinkThatDoesNotLastIsMadeAgainWithPauses() throws Exception {
        try (Connection c = connect("reconnect-policy=all", "reconnect-blocking-millis=1000")) {
            MessageProducer p = c.createSession().createProducer(null);
            relay.cutAt(f -> f.is(FrameType.CONNECTION_START));
            relay.cut();
            int before = relay.connections();
            JMSException none = null;
            while (none == null || !String.valueOf(none.getMessage()).contains("within 1000 ms")) {
                try {
                    p.send(
                            c.createSession().createTemporaryQueue(),
                            c.createSession().createMessage());
                } catch (JMSException e) {
                    none = e;
                }
                if (relay.connections() - before > 30) {
                    break;
                }
            }
            assertThat(relay.connections() - before).isLessThan(30);
        }
    }
}
