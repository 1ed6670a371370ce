package io.weir.broker.config;

import io.weir.base.Spelled;

/** For which destinations producers may send without an answer (WebLogic's OneWaySendMode). */
public enum OneWaySendMode implements Spelled {
    DISABLED("disabled"),
    ENABLED("enabled"),
    TOPIC_ONLY("topicOnly");

    private final String spelling;

    OneWaySendMode(String spelling) {
        this.spelling = spelling;
    }

    @Override
    public String spelling() {
        return spelling;
    }
}
