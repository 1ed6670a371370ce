package io.weir.proxy.pool;

/** Whether a server admits a request. */
enum Admission {
    ADMITTED,
    /** Admitted as a probe: its outcome decides whether the server is up again. */
    TRIAL,
    REFUSED
}
