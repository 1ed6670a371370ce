package io.weir.jms.client.settings;

import io.weir.base.Spelled;

/** WebLogic's SynchronousPrefetchMode: whether {@code receive} fetches batches of up to MessagesMaximum messages. Immutable. */
public enum PrefetchMode implements Spelled {
    DISABLED("disabled"),
    /** Queues and topics. */
    ENABLED("enabled"),
    /** Subscribers of topics only. */
    TOPIC_SUBSCRIBER_ONLY("topicSubscriberOnly");

    private final String spelling;

    PrefetchMode(String spelling) {
        this.spelling = spelling;
    }

    @Override
    public String spelling() {
        return spelling;
    }

    /** Whether consumers of a topic, or of a queue, fetch batches. */
    public boolean covers(boolean topic) {
        return this == ENABLED || (this == TOPIC_SUBSCRIBER_ONLY && topic);
    }
}
