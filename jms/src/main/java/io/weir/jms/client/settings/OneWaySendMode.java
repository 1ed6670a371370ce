package io.weir.jms.client.settings;

import io.weir.base.Spelled;

/** WebLogic's OneWaySendMode: for which destinations non-persistent messages are sent without waiting for an answer. Immutable. */
public enum OneWaySendMode implements Spelled {
    /** Every send waits for its answer. */
    DISABLED("disabled"),
    /** Queues and topics. */
    ENABLED("enabled"),
    /** Topics only. */
    TOPIC_ONLY("topicOnly");

    private final String spelling;

    OneWaySendMode(String spelling) {
        this.spelling = spelling;
    }

    @Override
    public String spelling() {
        return spelling;
    }

    /** Whether messages to a topic, or to a queue, can be sent one-way. */
    public boolean covers(boolean topic) {
        return this == ENABLED || (this == TOPIC_ONLY && topic);
    }
}
