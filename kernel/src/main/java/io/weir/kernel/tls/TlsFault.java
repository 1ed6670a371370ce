package io.weir.kernel.tls;

import java.io.EOFException;
import java.io.Serial;

/** Certificates, keys or trust that cannot be used: the message names the file, the reason and the remedy. */
public final class TlsFault extends Exception {
    @Serial
    private static final long serialVersionUID = 1L;

    TlsFault(String message, Throwable cause) {
        super(message, cause);
    }

    TlsFault(String message) {
        super(message);
    }

    /** The reason of a failure in words, because some exceptions of readers have no message. */
    public static String reason(Exception e) {
        String message = e.getMessage();
        return e instanceof EOFException && message == null
                ? "it is truncated"
                : message == null ? e.getClass().getSimpleName() : message;
    }
}
