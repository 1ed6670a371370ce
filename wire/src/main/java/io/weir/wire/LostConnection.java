package io.weir.wire;

import java.io.IOException;

/** The connection ended without a word of the other end. */
public final class LostConnection extends IOException {
    private static final long serialVersionUID = 1;

    /**
     * A loss.
     *
     * @param text what was lost and why; whether what was under way has arrived is unknown
     */
    public LostConnection(String text) {
        super(text);
    }
}
