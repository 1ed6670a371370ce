package io.weir.proxy;

/** What an exchange waits for. */
enum Step {
    NONE,
    /** A function of the stages up to ObjectType. */
    TRANSLATING,
    /** A slot of the connection queue. */
    QUEUED,
    /** A function of Route or Service. */
    SERVING,
    /** A function of DNS or Connect, before the origin is asked. */
    CONNECTING,
    /** A function of the Error stage. */
    FAILING,
    /** A fill, its own or another's. */
    FILLING,
    /** Its own fetch, directly. */
    RELAYING,
    /** The bytes pass through a tunnel. */
    TUNNELLING
}
