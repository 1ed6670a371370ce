package io.weir.proxy.pool;

/** What a request gets when no server of its pool is up. */
public enum WhenAllDown {
    /** A server all the same: what looks down may work, and a request is the best question. */
    TRY,
    /** 503 with Retry-After at once: servers that are down are spared. */
    REFUSE
}
