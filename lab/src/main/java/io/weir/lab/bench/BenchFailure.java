package io.weir.lab.bench;

/** A benchmark that cannot go on; the message tells the operator what to do. */
public final class BenchFailure extends Exception {
    private static final long serialVersionUID = 1L;

    BenchFailure(String message) {
        super(message);
    }

    BenchFailure(String message, Throwable cause) {
        super(message, cause);
    }
}
