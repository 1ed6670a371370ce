package io.weir.jms.client.settings;

import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;

/**
 * The kind of interface that a connection was created for: the domain-specific ones refuse operations of the other
 * domain (specification 4.1.5). Immutable.
 */
public enum Domain {
    UNIFIED,
    QUEUES,
    TOPICS;

    /**
     * Refuses an operation of topics in the domain of queues.
     *
     * @param what in the plural, for the refusal
     */
    public void checkTopics(String what) throws JMSException {
        if (this == QUEUES) {
            throw new IllegalStateException("a QueueSession has no " + what, "DOMAIN");
        }
    }

    /**
     * Refuses an operation of queues in the domain of topics.
     *
     * @param what in the plural, for the refusal
     */
    public void checkQueues(String what) throws JMSException {
        if (this == TOPICS) {
            throw new IllegalStateException("a TopicSession has no " + what, "DOMAIN");
        }
    }
}
