package io.weir.cluster.singleton;

/**
 * A call of a service's code was not begun, because there was no thread for it: surely nothing of it has happened, so it counts
 * as nothing that was done, and is asked for again. Immutable.
 */
public final class NotBegun extends Exception {
    private static final long serialVersionUID = 1L;

    public NotBegun(String message) {
        super(message);
    }
}
