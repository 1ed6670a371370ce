package io.weir.server;

import java.io.Serial;

/** A server that could not start: the message says what, where, why and what to do. */
public final class StartFailure extends Exception {
    @Serial
    private static final long serialVersionUID = 1L;

    /** Says what, where, why and what to do. */
    public StartFailure(String message, Throwable cause) {
        super(message, cause);
    }
}
