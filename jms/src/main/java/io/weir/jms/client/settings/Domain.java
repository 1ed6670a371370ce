package io.weir.jms.client.settings;

import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;

/** Which of the interfaces a connection was made for: the domain-specific ones refuse what belongs to the other domain (specification 4.1.5). Immutable. */
public enum Domain {
    UNIFIED,
    QUEUES,
    TOPICS;

    /**
     * Refuses what is of topics where the domain is that of queues.
     *
     * @param what in the plural, for the refusal
     */
    public void checkTopics(String what) throws JMSException {
        if (this == QUEUES) {
            throw new IllegalStateException("a QueueSession has no " + what, "DOMAIN");
        }
    }

    /**
     * Refuses what is of queues where the domain is that of topics.
     *
     * @param what in the plural, for the refusal
     */
    public void checkQueues(String what) throws JMSException {
        if (this == TOPICS) {
            throw new IllegalStateException("a TopicSession has no " + what, "DOMAIN");
        }
    }
}
