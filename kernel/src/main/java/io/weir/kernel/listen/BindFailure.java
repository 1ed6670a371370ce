package io.weir.kernel.listen;

import java.io.Serial;

/** Thrown if a listener cannot be opened: the message says what, where, why and what to do. */
public final class BindFailure extends Exception {
    @Serial
    private static final long serialVersionUID = 1L;

    private final String listener;

    BindFailure(String listener, String message, Throwable cause) {
        super(message, cause);
        this.listener = listener;
    }

    /** The listener's name. */
    public String listener() {
        return listener;
    }
}
