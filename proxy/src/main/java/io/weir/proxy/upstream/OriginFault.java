package io.weir.proxy.upstream;

import io.weir.proxy.program.run.ProxyFault;
import java.util.Locale;

/** How an origin can fail a request. The answer that the client gets is chosen by the fetch. */
public enum OriginFault {
    /** The pool's bounds leave no slot. */
    POOL_FULL,
    /** Every server of the pool has its maximum of requests. */
    BUSY,
    /** No server of the pool is up. */
    ALL_DOWN,
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
    /** The origin reports that it has not processed the request. */
    UNPROCESSED,
    /** Closed or reset after the first byte of an answer. */
    RESET,
    /** The answer violates HTTP. */
    MALFORMED,
    RESPONSE_TIMEOUT,
    BODY_TIMEOUT,
    /** The body ended before its length. */
    TRUNCATED;

    /** Whether it is a time-out. */
    public static boolean isTimeOut(OriginFault fault) {
        return switch (fault) {
            case CONNECT_TIMEOUT, DNS_TIMEOUT, RESPONSE_TIMEOUT, BODY_TIMEOUT -> true;
            case POOL_FULL,
                    BUSY,
                    ALL_DOWN,
                    UNRESOLVED,
                    FORBIDDEN,
                    REFUSED,
                    TLS_FAILED,
                    CLOSED_EARLY,
                    UNPROCESSED,
                    RESET,
                    MALFORMED,
                    TRUNCATED -> false;
        };
    }

    /**
     * Whether nothing was sent because the origin cannot be reached: another server may be tried, whatever the method.
     */
    static boolean unreachable(OriginFault fault) {
        return fault == REFUSED
                || fault == CONNECT_TIMEOUT
                || fault == UNRESOLVED
                || fault == DNS_TIMEOUT
                || fault == TLS_FAILED;
    }

    /** Whether the origin caused it, by what it did or failed to do. */
    public static boolean byOrigin(OriginFault fault) {
        return fault != POOL_FULL && fault != BUSY && fault != ALL_DOWN && fault != FORBIDDEN;
    }

    /** The answer to the client: 502 if unreachable or malformed, 504 for a time-out, 503 if a bound was reached. */
    public ProxyFault answer() {
        return switch (this) {
            case POOL_FULL -> ProxyFault.ORIGIN_POOL_FULL;
            case BUSY -> ProxyFault.ORIGINS_BUSY;
            case ALL_DOWN -> ProxyFault.ORIGINS_DOWN;
            case UNRESOLVED -> ProxyFault.ORIGIN_UNRESOLVABLE;
            case DNS_TIMEOUT -> ProxyFault.DNS_TIME_OUT;
            case FORBIDDEN -> ProxyFault.DESTINATION_FORBIDDEN;
            case REFUSED -> ProxyFault.ORIGIN_REFUSED;
            case CONNECT_TIMEOUT -> ProxyFault.CONNECT_TIME_OUT;
            case TLS_FAILED -> ProxyFault.ORIGIN_TLS;
            case CLOSED_EARLY, UNPROCESSED, RESET, TRUNCATED -> ProxyFault.ORIGIN_RESET;
            case MALFORMED -> ProxyFault.ORIGIN_MALFORMED;
            case RESPONSE_TIMEOUT -> ProxyFault.RESPONSE_TIME_OUT;
            case BODY_TIMEOUT -> ProxyFault.BODY_TIME_OUT;
        };
    }

    /** Its spelling in labels and logs. */
    String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
