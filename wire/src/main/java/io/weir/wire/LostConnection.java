package io.weir.wire;

import java.io.IOException;

/** Thrown if the connection ended without GOODBYE or ERROR from the peer. */
public final class LostConnection extends IOException {
    private static final long serialVersionUID = 1;

    /**
     * Creates the exception.
     *
     * @param text what was lost and why; whether requests in flight have arrived is unknown
     */
    public LostConnection(String text) {
        super(text);
    }
}
