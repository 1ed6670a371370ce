package io.weir.base;

/** Why a knob names no counter: knobs chosen for their meaning are not tuned by measurement. */
public enum Unwatched {
    /** It has counters to watch. */
    NOT(""),
    /** A name, path or address. */
    NAME("it is a name, a path or an address"),
    /** A password or key. */
    SECRET("it is a secret"),
    /** It selects requests, or is a text shown to clients. */
    MEANING("it selects what is done, not how much"),
    /** Turns a part of the server on or off. */
    SWITCH("it is a switch");

    private final String reason;

    Unwatched(String reason) {
        this.reason = reason;
    }

    /** A clause for the documentation; empty for {@link #NOT}. */
    public String reason() {
        return reason;
    }
}
