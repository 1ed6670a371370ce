package io.weir.proxy.pool;

/** How a server of a pool is chosen for a request. */
public enum Balance {
    /** In turn, each as often as its weight says. */
    ROUND_ROBIN,
    /** The one with the fewest requests on their way for its weight. */
    LEAST_OUTSTANDING,
    /** The same one for the same key; a server that comes or goes moves its own share of the keys only. */
    HASH
}
