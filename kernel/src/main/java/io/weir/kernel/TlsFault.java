package io.weir.kernel;

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
}
