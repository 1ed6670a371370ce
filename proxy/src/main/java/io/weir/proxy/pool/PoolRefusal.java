package io.weir.proxy.pool;

/** Why no server of a pool takes a request. */
public enum PoolRefusal {
    /** Each has as many requests as it may have. */
    BUSY,
    /** None is up, and {@code when-all-down} is refuse. */
    DOWN
}
