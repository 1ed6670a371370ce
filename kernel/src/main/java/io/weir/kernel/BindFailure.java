package io.weir.kernel;

import java.io.Serial;

/** A listener that could not be opened: the message says what, where, why and what to do. */
public final class BindFailure extends Exception {
    @Serial
    private static final long serialVersionUID = 1L;

    BindFailure(String message, Throwable cause) {
        super(message, cause);
    }
}
