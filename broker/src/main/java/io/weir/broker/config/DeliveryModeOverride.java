package io.weir.broker.config;

import io.weir.base.Spelled;

/** Whether a destination decides the delivery mode in the producer's place. */
public enum DeliveryModeOverride implements Spelled {
    NO_DELIVERY("No-Delivery"),
    PERSISTENT("Persistent"),
    NON_PERSISTENT("Non-Persistent");

    private final String spelling;

    DeliveryModeOverride(String spelling) {
        this.spelling = spelling;
    }

    @Override
    public String spelling() {
        return spelling;
    }
}
