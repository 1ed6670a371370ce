package io.weir.lab.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A producer and a consumer that do nothing wrong, on queue {@code r}: the number of each message is checked as it comes.
 * They run beside what a test does to the server, and whatever that is must not cost them a message.
 */
final class HealthyPair implements AutoCloseable {
    private final Connection connection;
    private final Thread thread;
    private final AtomicInteger received = new AtomicInteger();
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private volatile boolean ends;
    private final AtomicInteger sent = new AtomicInteger();

    HealthyPair(MessagingServer server) throws JMSException {
        this(server, "send-timeout=20000");
    }

    /** With options of the connection factory. */
    HealthyPair(MessagingServer server, String... options) throws JMSException {
        connection = server.factory(options).createConnection();
        connection.setExceptionListener(failure::set);
        Session consumes = connection.createSession();
        consumes.createConsumer(consumes.createQueue("r")).setMessageListener(m -> {
            try {
                int number = m.getIntProperty("number");
                if (number != received.getAndIncrement()) {
                    failure.compareAndSet(null, new AssertionError("number " + number + " is out of order"));
                }
            } catch (JMSException e) {
                failure.set(e);
            }
        });
        Session produces = connection.createSession();
        MessageProducer producer = produces.createProducer(produces.createQueue("r"));
        connection.start();
        thread = new Thread(() -> produce(produces, producer), "healthy");
        thread.start();
        goesOn();
    }

    private void produce(Session session, MessageProducer producer) {
        try {
            while (!ends) {
                TextMessage m = session.createTextMessage("healthy");
                m.setIntProperty("number", sent.get());
                producer.send(m);
                sent.incrementAndGet();
                // one at a time: what counts is that each comes
                Await.until("its own message", () -> received.get() >= sent.get() || failure.get() != null);
            }
        } catch (JMSException | AssertionError e) {
            failure.compareAndSet(null, e);
        }
    }

    /** Waits until some more messages went through, from now on. */
    void goesOn() {
        int now = received.get();
        Await.until("five messages of the healthy pair", () -> received.get() >= now + 5 || failure.get() != null);
        assertThat(failure.get()).isNull();
    }

    @Override
    public void close() throws JMSException {
        ends = true;
        Await.until("the end of its producer", () -> !thread.isAlive());
        Await.until("all that was sent", () -> received.get() == sent.get() || failure.get() != null);
        assertThat(failure.get()).isNull();
        connection.close();
    }
}
