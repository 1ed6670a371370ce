package io.weir.proxy.pool;

/** What happens to a request if no server of its pool is up. */
public enum WhenAllDown {
    /** It is sent to a server anyway: a server that seems down may work, and a request is the best probe. */
    TRY,
    /** 503 with Retry-After at once, to spare servers that are down. */
    REFUSE
}
