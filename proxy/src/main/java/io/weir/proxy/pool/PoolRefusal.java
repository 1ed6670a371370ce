package io.weir.proxy.pool;

/** Why no server of a pool admits a request. */
public enum PoolRefusal {
    /** Each has its maximum of requests. */
    BUSY,
    /** None is up, and {@code when-all-down} is refuse. */
    DOWN
}
