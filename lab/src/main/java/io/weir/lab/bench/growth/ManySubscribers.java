package io.weir.lab.bench.growth;

import io.weir.base.Clock;
import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;

/**
 * Many subscribers of a topic, each with its own connection, and a producer. What is counted are deliveries. Confined to
 * its thread, but for the listeners.
 */
final class ManySubscribers implements MessageFlow {
    /** Messages, each of which has as many deliveries as there are subscribers. */
    private static final int ON_THE_WAY = 100;

    private final Arrivals arrivals;
    private final List<Connection> connections = new ArrayList<>();
    private final int count;
    private final Session session;
    private final Topic topic;

    ManySubscribers(ConnectionFactory factory, int count, Clock clock) throws JMSException {
        this.count = count;
        arrivals = new Arrivals(clock);
        Connection sending = factory.createConnection();
        connections.add(sending);
        session = sending.createSession(false, Session.AUTO_ACKNOWLEDGE);
        topic = session.createTopic("t");
        for (int i = 0; i < count; i++) {
            Connection connection = factory.createConnection();
            connections.add(connection);
            connection
                    .createSession(false, Session.AUTO_ACKNOWLEDGE)
                    .createConsumer(topic)
                    .setMessageListener(_ -> arrivals.one());
            connection.start();
        }
    }

    @Override
    public long run(BooleanSupplier more, RandomGenerator random) throws JMSException {
        long before = arrivals.count();
        long sent = 0;
        try (MessageProducer producer = session.createProducer(topic)) {
            producer.setDeliveryMode(DeliveryMode.NON_PERSISTENT);
            BytesMessage message = session.createBytesMessage();
            message.writeBytes(new byte[BYTES]);
            while (more.getAsBoolean()) {
                producer.send(message);
                sent++;
                arrivals.await(before + (sent - ON_THE_WAY) * count);
            }
        }
        arrivals.await(before + sent * count);
        return arrivals.count() - before;
    }

    @Override
    public void close() throws JMSException {
        for (Connection connection : connections) {
            connection.close();
        }
    }
}
