package io.weir.jms.client.settings;

/** WebLogic's ClientIdPolicy: whether several connections may use one client identifier. Immutable. */
public enum ClientIdPolicy {
    /** One connection at a time, as the specification requires. */
    RESTRICTED,
    /** Any number. */
    UNRESTRICTED
}
