package io.weir.proxy.pool;

/** Whether a server takes a request. */
enum Admission {
    ADMITTED,
    /** It does, and what becomes of the request decides whether it is up again. */
    TRIAL,
    REFUSED
}
