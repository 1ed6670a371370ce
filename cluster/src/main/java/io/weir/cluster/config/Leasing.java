package io.weir.cluster.config;

/** Where leases are kept: WebLogic's migration basis. */
public enum Leasing {
    /** In a log that a majority of the members agrees on. */
    CONSENSUS,
    /** In rows of a database. */
    DATABASE
}
