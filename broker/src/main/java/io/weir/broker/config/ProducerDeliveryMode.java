package io.weir.broker.config;

import io.weir.base.Spelled;

/** The delivery mode of producers that set none. */
public enum ProducerDeliveryMode implements Spelled {
    PERSISTENT("Persistent"),
    NON_PERSISTENT("Non-Persistent");

    private final String spelling;

    ProducerDeliveryMode(String spelling) {
        this.spelling = spelling;
    }

    @Override
    public String spelling() {
        return spelling;
    }
}
