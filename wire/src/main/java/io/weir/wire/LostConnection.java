package io.weir.wire;

import java.io.IOException;

/** The connection ended without a word of the other end. */
public final class LostConnection extends IOException {
    private static final long serialVersionUID = 1;

    public LostConnection(String text) {
        super(text);
    }
}
