package io.weir.http;

/** How the end of a message's body is determined (RFC 9112 6.3). Immutable. */
public enum Framing {
    /** The message ends with its head. */
    NONE,
    /** Exactly Content-Length bytes follow. */
    LENGTH,
    /** Chunks and a trailer section follow. */
    CHUNKED,
    /** Responses only: the body ends when the connection is closed. */
    UNTIL_CLOSE
}
