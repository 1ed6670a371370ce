package io.weir.lab.bench.growth;

import io.weir.base.Clock;
import io.weir.lab.bench.peer.GrowthConfigs;
import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A listener for each of many queues, on one connection, and a producer that sends to one of them at random. Confined to
 * its thread, but for the listeners.
 */
final class ManyQueues implements MessageFlow {
    private static final int ON_THE_WAY = 1000;
    /** As many as a session may have. */
    private static final int PER_SESSION = 1000;

    private final Arrivals arrivals;
    private final Connection sending;
    private final Connection receiving;
    private final Session session;
    private final Queue[] queues;

    ManyQueues(ConnectionFactory factory, int count, Clock clock) throws JMSException {
        arrivals = new Arrivals(clock);
        sending = factory.createConnection();
        receiving = factory.createConnection();
        session = sending.createSession(false, Session.AUTO_ACKNOWLEDGE);
        queues = new Queue[count];
        @Nullable Session consuming = null;
        for (int i = 0; i < count; i++) {
            queues[i] = session.createQueue(GrowthConfigs.queue(i));
            if (consuming == null || i % PER_SESSION == 0) {
                consuming = receiving.createSession(false, Session.AUTO_ACKNOWLEDGE);
            }
            consuming.createConsumer(queues[i]).setMessageListener(_ -> arrivals.one());
        }
        receiving.start();
        sendToEach();
    }

    /** So that each is known to be there and to have its consumer. */
    private void sendToEach() throws JMSException {
        try (MessageProducer producer = session.createProducer(null)) {
            BytesMessage message = session.createBytesMessage();
            for (int i = 0; i < queues.length; i++) {
                producer.send(queues[i], message, DeliveryMode.NON_PERSISTENT, 4, 0);
                arrivals.await(i + 1L - ON_THE_WAY);
            }
        }
        arrivals.await(queues.length);
    }

    @Override
    public long run(BooleanSupplier more, RandomGenerator random) throws JMSException {
        long before = arrivals.count();
        long sent = 0;
        try (MessageProducer producer = session.createProducer(null)) {
            BytesMessage message = session.createBytesMessage();
            message.writeBytes(new byte[BYTES]);
            while (more.getAsBoolean()) {
                producer.send(queues[random.nextInt(queues.length)], message, DeliveryMode.NON_PERSISTENT, 4, 0);
                sent++;
                arrivals.await(before + sent - ON_THE_WAY);
            }
        }
        arrivals.await(before + sent);
        return arrivals.count() - before;
    }

    @Override
    public void close() throws JMSException {
        sending.close();
        receiving.close();
    }
}
