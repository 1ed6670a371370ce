package io.weir.proxy.client;

/** The state of the reading side of a client connection. */
public enum ReadPhase {
    /** Between requests: no byte of the next one has arrived. */
    IDLE,
    /** A head has begun. */
    HEAD,
    /** A request's body is being read for its exchange. */
    BODY,
    /** The request is read; its answer is not complete. */
    ANSWERING,
    /** The answer is complete; the rest of the request is read and discarded. */
    DRAINING,
    /** The bytes belong to a tunnel. */
    TUNNEL,
    /** The answer had Connection: close; input is discarded until the client has closed too. */
    LINGERING,
    CLOSED
}
