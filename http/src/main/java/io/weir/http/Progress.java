package io.weir.http;

/** The result of a head decoder for a piece of input. Immutable. */
public enum Progress {
    /** All input was consumed; more is needed. */
    MORE,
    /** A complete head is ready; input after it was left in the buffer. */
    HEAD,
    /** The message was rejected; nothing after it on this connection can be trusted. */
    FAULT
}
