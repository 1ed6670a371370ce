package io.weir.server.cli;

/** A verb that could not do its work; the message says what, why and what to do. */
final class CliFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    CliFailure(String message) {
        super(message);
    }

    CliFailure(String message, Throwable cause) {
        super(message, cause);
    }
}
