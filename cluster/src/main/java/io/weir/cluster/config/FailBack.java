package io.weir.cluster.config;

/** When a singleton goes back to its preferred member after that came back. */
public enum FailBack {
    /** Never by itself. */
    OFF,
    /** As soon as the preferred member is there. */
    IMMEDIATE,
    /** When the preferred member was there for a time. */
    AFTER
}
