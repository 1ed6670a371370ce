package io.weir.proxy.pool;

/** How a server of a pool is chosen for a request. */
public enum Balance {
    /** Round robin, in proportion to the weights. */
    ROUND_ROBIN,
    /** The one with the fewest outstanding requests relative to its weight. */
    LEAST_OUTSTANDING,
    /** The same one for the same key; a server that is added or removed moves only its own share of the keys. */
    HASH
}
