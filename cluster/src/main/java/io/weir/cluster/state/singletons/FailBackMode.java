package io.weir.cluster.state.singletons;

/** Whether a singleton moves back to its preferred server when that is up again. */
public enum FailBackMode {
    /** It stays on its member. */
    OFF,
    /** As soon as the preferred server is alive. */
    IMMEDIATE,
    /** Once the preferred server has been alive for the delay. */
    AFTER
}
