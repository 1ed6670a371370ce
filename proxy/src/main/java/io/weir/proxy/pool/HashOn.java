package io.weir.proxy.pool;

/** What of a request is its key where a pool is balanced by hash. */
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
