package io.weir.jms.message;

import jakarta.jms.JMSException;

/** What a received message asks of the session that it was delivered to. */
public interface MessageOwner {
    /** {@code Message.acknowledge()} was called. */
    void acknowledge(WeirMessage message) throws JMSException;

    /** What may be deserialised out of an ObjectMessage. */
    ObjectRules objectRules();
}
