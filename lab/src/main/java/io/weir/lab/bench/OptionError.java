package io.weir.lab.bench;

/** A command line that says nothing that can be run; the message names the option and what it takes. */
final class OptionError extends Exception {
    private static final long serialVersionUID = 1L;

    OptionError(String message) {
        super(message);
    }
}
