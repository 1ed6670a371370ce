package io.weir.cluster.singleton;

/**
 * A call of a service's code was not begun, because there was no thread for it: surely it had no effect, so it is
 * retried. Immutable.
 */
public final class NotBegun extends Exception {
    private static final long serialVersionUID = 1L;

    public NotBegun(String message) {
        super(message);
    }
}
