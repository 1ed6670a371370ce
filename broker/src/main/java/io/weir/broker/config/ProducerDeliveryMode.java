package io.weir.broker.config;

/** The delivery mode of producers that set none. */
public enum ProducerDeliveryMode {
    PERSISTENT,
    NON_PERSISTENT
}
