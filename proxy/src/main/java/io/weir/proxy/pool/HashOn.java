package io.weir.proxy.pool;

/** The part of a request that is its key if a pool is balanced by hash. */
public enum HashOn {
    /** Path and query. */
    URL,
    /** The value of a field. */
    HEADER,
    /** The value of a cookie. */
    COOKIE,
    /** The client's address. */
    CLIENT
}
