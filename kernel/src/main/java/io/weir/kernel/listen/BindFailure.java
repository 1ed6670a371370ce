package io.weir.kernel.listen;

import java.io.Serial;

/** A listener that could not be opened: the message says what, where, why and what to do. */
public final class BindFailure extends Exception {
    @Serial
    private static final long serialVersionUID = 1L;

    private final String listener;

    BindFailure(String listener, String message, Throwable cause) {
        super(message, cause);
        this.listener = listener;
    }

    /** Its name. */
    public String listener() {
        return listener;
    }
}
