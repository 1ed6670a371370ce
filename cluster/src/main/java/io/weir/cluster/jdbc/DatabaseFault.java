package io.weir.cluster.jdbc;

/**
 * A request to the database failed: unreachable, timed out, or rejected. An operating fault: counted, logged, retried.
 */
final class DatabaseFault extends Exception {
    private static final long serialVersionUID = 1;

    private final boolean sure;

    DatabaseFault(String message, boolean sure, Throwable cause) {
        super(message, cause);
        this.sure = sure;
    }

    DatabaseFault(String message) {
        super(message);
        this.sure = true;
    }

    /** Whether it is certain that nothing was committed; otherwise it may have been. */
    boolean nothingHappened() {
        return sure;
    }
}
