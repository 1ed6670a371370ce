package io.weir.kernel.listen;

/** Whether HTTP/2 is spoken on a listener without TLS, where a client starts with its preface (RFC 9113 section 3.3). */
public enum PlainHttp2 {
    /** HTTP/1 only; the preface is answered 505. */
    REFUSED,
    /** The client's first bytes decide. */
    ALLOWED,
    /** HTTP/2 only: what starts otherwise is no HTTP/1 request, but a connection error. */
    ONLY
}
