package io.weir.kernel.listen;

/** Whether HTTP/2 is accepted on a listener without TLS, if a client starts with its preface (RFC 9113 section 3.3). */
public enum PlainHttp2 {
    /** HTTP/1 only; the preface is answered 505. */
    REFUSED,
    /** The client's first bytes select the protocol. */
    ALLOWED,
    /** HTTP/2 only: a connection without the preface is a connection error, not an HTTP/1 request. */
    ONLY
}
