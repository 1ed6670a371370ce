package io.weir.lab.messaging;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** A listener that fails at the first delivery of every so manieth message, and notes what it accepted. Thread-safe. */
final class Failing implements MessageListener {
    final Arrivals accepted = new Arrivals();
    final AtomicInteger failures = new AtomicInteger();
    private final List<String> wrong = new CopyOnWriteArrayList<>();
    private final int every;

    /** Messages are numbered texts such as m17; of these the numbers divisible by this fail. */
    Failing(int every) {
        this.every = every;
    }

    @Override
    public void onMessage(Message message) {
        try {
            String text = message.getBody(String.class);
            int delivery = message.getIntProperty("JMSXDeliveryCount");
            if (message.getJMSRedelivered() != delivery > 1) {
                wrong.add(text + " redelivered " + message.getJMSRedelivered() + " at delivery " + delivery);
            }
            boolean fails = Integer.parseInt(text.substring(1)) % every == 0;
            if (fails && delivery == 1) {
                failures.incrementAndGet();
                throw new IllegalStateException("on purpose");
            }
            if (delivery != (fails ? 2 : 1)) {
                wrong.add(text + " accepted at delivery " + delivery);
            }
            accepted.add(text);
        } catch (JMSException e) {
            wrong.add(e.toString());
        }
    }

    /** Flags and counts that were not as they must be. */
    List<String> wrong() {
        return List.copyOf(wrong);
    }
}
