package io.weir.proxy.client;

/** Where the reading side of a client connection stands. */
public enum ReadPhase {
    /** Between requests: no byte of the next one has come. */
    IDLE,
    /** A head has begun. */
    HEAD,
    /** A request's body is being read for its exchange. */
    BODY,
    /** The request is read; its answer is not complete. */
    ANSWERING,
    /** The answer is complete; a rest of the request is read and dropped. */
    DRAINING,
    /** The bytes belong to a tunnel. */
    TUNNEL,
    /** The answer said close; input is dropped until the client has closed too. */
    LINGERING,
    CLOSED
}
