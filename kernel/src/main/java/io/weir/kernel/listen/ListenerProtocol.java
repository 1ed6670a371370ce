package io.weir.kernel.listen;

/** The protocols that can be configured for a listener. */
public enum ListenerProtocol {
    HTTP,
    WEIR,
    /** The caches of the cluster's other members (docs/cluster-cache.md). */
    CACHE
}
