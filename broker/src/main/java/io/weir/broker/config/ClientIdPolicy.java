package io.weir.broker.config;

/** Whether a client identifier belongs to one connection at a time. */
public enum ClientIdPolicy {
    RESTRICTED,
    UNRESTRICTED
}
