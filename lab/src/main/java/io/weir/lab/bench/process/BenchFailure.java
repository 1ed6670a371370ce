package io.weir.lab.bench.process;

/** A benchmark cannot continue; the message has what to do. */
public class BenchFailure extends Exception {
    private static final long serialVersionUID = 1L;

    public BenchFailure(String message) {
        super(message);
    }

    public BenchFailure(String message, Throwable cause) {
        super(message, cause);
    }
}
