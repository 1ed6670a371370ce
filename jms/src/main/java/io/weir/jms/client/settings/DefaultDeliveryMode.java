package io.weir.jms.client.settings;

import jakarta.jms.DeliveryMode;

/** The delivery mode of producers that set none. Immutable. */
public enum DefaultDeliveryMode {
    PERSISTENT(DeliveryMode.PERSISTENT),
    NON_PERSISTENT(DeliveryMode.NON_PERSISTENT);

    private final int jms;

    DefaultDeliveryMode(int jms) {
        this.jms = jms;
    }

    /** The constant of {@link DeliveryMode}. */
    public int jms() {
        return jms;
    }
}
