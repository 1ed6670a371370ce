package io.weir.cluster.config;

/** How missed firings are handled: those whose time passed while no member could fire them. */
public enum MisfirePolicy {
    /** All missed firings are combined into one, fired immediately. */
    FIRE_ONCE,
    /** They are skipped. */
    SKIP,
    /** Each is fired late, up to a limit. */
    FIRE_ALL
}
