package io.weir.broker.config;

import io.weir.base.Spelled;

/** Which synchronous consumers receive batches (WebLogic's SynchronousPrefetchMode). */
public enum PrefetchMode implements Spelled {
    DISABLED("disabled"),
    ENABLED("enabled"),
    TOPIC_SUBSCRIBER_ONLY("topicSubscriberOnly");

    private final String spelling;

    PrefetchMode(String spelling) {
        this.spelling = spelling;
    }

    @Override
    public String spelling() {
        return spelling;
    }
}
