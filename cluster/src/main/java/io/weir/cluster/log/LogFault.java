package io.weir.cluster.log;

/** Thrown if a command has no answer. Immutable. */
public final class LogFault extends Exception {
    private static final long serialVersionUID = 1L;

    /** What is known about the command's fate. */
    public enum Kind {
        /** Certainly not committed, now or later: it may be submitted again. */
        NOT_COMMITTED,
        /** It may have been committed, may still be, or never will: only the state shows which. */
        UNKNOWN,
        /** This log is closed; outstanding commands may have been committed. */
        CLOSED
    }

    private final Kind kind;

    public LogFault(Kind kind, String message) {
        super(message, null, false, false);
        this.kind = kind;
    }

    public LogFault(Kind kind, String message, Throwable cause) {
        super(message, cause, false, false);
        this.kind = kind;
    }

    public Kind kind() {
        return kind;
    }
}
