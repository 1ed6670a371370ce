package io.weir.cluster.singleton;

/**
 * A call of service code could not be started for lack of a thread: it certainly had no effect, so it is retried.
 * Immutable.
 */
public final class NotBegun extends Exception {
    private static final long serialVersionUID = 1L;

    public NotBegun(String message) {
        super(message);
    }
}
