package io.weir.cluster.config;

/** What becomes of firings whose time passed while no member could fire them. */
public enum MisfirePolicy {
    /** All that were missed are one firing, at once. */
    FIRE_ONCE,
    /** They are left out. */
    SKIP,
    /** Each is made up for, up to a limit. */
    FIRE_ALL
}
