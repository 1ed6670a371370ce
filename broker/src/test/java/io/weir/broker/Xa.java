package io.weir.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.jms.WeirXAConnectionFactory;
import io.weir.jms.frames.BranchId;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Queue;
import jakarta.jms.TextMessage;
import jakarta.jms.XAConnection;
import jakarta.jms.XASession;
import java.util.Arrays;
import java.util.List;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;

/** A client of one XA session on a broker, with what tests do most. */
final class Xa implements AutoCloseable {
    private static final long WAIT_MILLIS = 60_000;

    final XAConnection connection;
    final XASession session;
    final XAResource resource;

    Xa(RealBroker broker, String... options) throws JMSException {
        this(broker.url() + (options.length == 0 ? "" : "?" + String.join("&", options)));
    }

    private Xa(String url) throws JMSException {
        connection = new WeirXAConnectionFactory(url).createXAConnection();
        session = connection.createXASession();
        resource = session.getXAResource();
        connection.start();
    }

    static void failsWith(int code, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        XAException.class,
                        e -> assertThat(e.errorCode).as(e.getMessage()).isEqualTo(code));
    }

    static void put(RealBroker broker, String to, String text) {
        try (JMSContext context = broker.factory().createContext()) {
            context.createProducer().send(context.createQueue(to), text);
        }
    }

    static Xid xid(int number) {
        return new BranchId(7, String.format("%08x", number), "01").xid();
    }

    /** What recovery lists, as texts. */
    List<String> inDoubt() throws XAException {
        return Arrays.stream(resource.recover(XAResource.TMSTARTRSCAN | XAResource.TMENDRSCAN))
                .map(x -> String.valueOf(BranchId.of(x)))
                .toList();
    }

    static String text(Xid xid) {
        return String.valueOf(BranchId.of(xid));
    }

    Queue queue(String name) throws JMSException {
        return session.createQueue(name);
    }

    void send(String to, String text) throws JMSException {
        session.createProducer(queue(to)).send(session.createTextMessage(text));
    }

    /** Receives one message that is there, or comes. */
    String receive(String from) throws JMSException {
        try (MessageConsumer consumer = session.createConsumer(queue(from))) {
            return text(consumer.receive(WAIT_MILLIS));
        }
    }

    /** The text of a message that is there now, or null. */
    @Nullable
    String receiveNow(String from) throws JMSException {
        try (MessageConsumer consumer = session.createConsumer(queue(from))) {
            Message m = consumer.receiveNoWait();
            return m == null ? null : text(m);
        }
    }

    private static String text(@Nullable Message m) throws JMSException {
        if (m == null) {
            throw new JMSException("no message came");
        }
        return (m.getJMSRedelivered() ? "again: " : "") + ((TextMessage) m).getText();
    }

    void start(Xid xid) throws XAException {
        resource.start(xid, XAResource.TMNOFLAGS);
    }

    void end(Xid xid) throws XAException {
        resource.end(xid, XAResource.TMSUCCESS);
    }

    @Override
    public void close() throws JMSException {
        connection.close();
    }
}
