package io.weir.http;

/** What a head decoder reports after each piece of input. Immutable. */
public enum Progress {
    /** All input was taken; more is needed. */
    MORE,
    /** A complete head is ready; input after it was left in the buffer. */
    HEAD,
    /** The message was refused; nothing after it on this connection can be trusted. */
    FAULT
}
