package io.weir.lab.bench.growth;

import io.weir.lab.bench.peer.GrowthConfigs;
import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;

/**
 * A queue in which so many messages wait: a batch is sent, then as many are received, the oldest first, so that the
 * number stays. Confined to its thread.
 */
final class WaitingMessages implements MessageFlow {
    private static final int BATCH = 100;
    private static final long TIME_OUT_MILLIS = 20_000;
    private final Connection sending;
    private final Connection receiving;
    private final MessageProducer producer;
    private final MessageConsumer consumer;
    private final BytesMessage message;

    WaitingMessages(ConnectionFactory factory, int count) throws JMSException {
        sending = factory.createConnection();
        receiving = factory.createConnection();
        Session session = sending.createSession(false, Session.AUTO_ACKNOWLEDGE);
        Queue queue = session.createQueue(GrowthConfigs.queue(0));
        producer = session.createProducer(queue);
        producer.setDeliveryMode(DeliveryMode.NON_PERSISTENT);
        message = session.createBytesMessage();
        message.writeBytes(new byte[BYTES]);
        for (int i = 0; i < count; i++) {
            producer.send(message);
        }
        consumer = receiving.createSession(false, Session.AUTO_ACKNOWLEDGE).createConsumer(queue);
        receiving.start();
    }

    @Override
    public long run(BooleanSupplier more, RandomGenerator random) throws JMSException {
        long received = 0;
        while (more.getAsBoolean()) {
            for (int i = 0; i < BATCH; i++) {
                producer.send(message);
            }
            for (int i = 0; i < BATCH; i++) {
                if (consumer.receive(TIME_OUT_MILLIS) == null) {
                    throw new JMSException("nothing is received after " + received + " messages");
                }
                received++;
            }
        }
        return received;
    }

    @Override
    public void close() throws JMSException {
        sending.close();
        receiving.close();
    }
}
