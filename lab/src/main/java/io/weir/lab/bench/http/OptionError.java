package io.weir.lab.bench.http;

/** A command line that says nothing that can be run; the message names the option and what it takes. */
public final class OptionError extends Exception {
    private static final long serialVersionUID = 1L;

    public OptionError(String message) {
        super(message);
    }
}
