package io.weir.jms.message;

import jakarta.jms.JMSException;

/** The session that a received message was delivered to, as the message uses it. */
public interface MessageOwner {
    /** {@code Message.acknowledge()} was called. */
    void acknowledge(WeirMessage message) throws JMSException;

    /** The rules for deserialising ObjectMessages. */
    ObjectRules objectRules();
}
