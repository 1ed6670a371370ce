package io.weir.cluster.config;

/** When a singleton moves back to its preferred member after that member has rejoined. */
public enum FailBack {
    /** Never automatically. */
    OFF,
    /** As soon as the preferred member is up. */
    IMMEDIATE,
    /** Once the preferred member has been up for the configured delay. */
    AFTER
}
