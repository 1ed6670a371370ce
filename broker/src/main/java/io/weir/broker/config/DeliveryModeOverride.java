package io.weir.broker.config;

import io.weir.base.Spelled;

/** A destination's override of the producer's delivery mode. */
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
