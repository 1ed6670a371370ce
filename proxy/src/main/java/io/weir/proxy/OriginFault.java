package io.weir.proxy;

/** How an origin can fail a request. The answer that the client gets is chosen by the fetch. */
enum OriginFault {
    /** No slot in the pool within its bounds. */
    POOL_FULL,
    UNRESOLVED,
    /** The name servers did not answer in time. */
    DNS_TIMEOUT,
    /** The resolved addresses are not allowed as a destination. */
    FORBIDDEN,
    REFUSED,
    CONNECT_TIMEOUT,
    TLS_FAILED,
    /** Closed or reset before the first byte of an answer: a reused connection may just have been stale. */
    CLOSED_EARLY,
    /** Closed or reset after the first byte of an answer. */
    RESET,
    /** The answer breaks HTTP. */
    MALFORMED,
    RESPONSE_TIMEOUT,
    BODY_TIMEOUT,
    /** The body ended before its length. */
    TRUNCATED;

    /** Whether it is a matter of time. */
    static boolean late(OriginFault fault) {
        return switch (fault) {
            case CONNECT_TIMEOUT, DNS_TIMEOUT, RESPONSE_TIMEOUT, BODY_TIMEOUT -> true;
            case POOL_FULL, UNRESOLVED, FORBIDDEN, REFUSED, TLS_FAILED, CLOSED_EARLY, RESET, MALFORMED, TRUNCATED ->
                false;
        };
    }
}
