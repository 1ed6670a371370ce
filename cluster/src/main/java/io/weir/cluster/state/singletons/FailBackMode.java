package io.weir.cluster.state.singletons;

/** Whether a singleton goes back to its preferred server when that is there again. */
public enum FailBackMode {
    /** It stays where it is. */
    OFF,
    /** As soon as the preferred server is alive. */
    IMMEDIATE,
    /** Once the preferred server was alive for the delay. */
    AFTER
}
