package io.weir.proxy.program.run;

/** The result of a function: the return codes of the Sun proxy's NSAPI and {@link #WAITING}. Immutable. */
public enum StepOutcome {
    /** Done: ends a stage that applies one directive, continues one that applies all. */
    PROCEED(0),
    /** Failed: runs the Error stage, then AddLog. Without a fault it is an internal error, 500. */
    ABORTED(-1),
    /** Declined: the next directive is tried. */
    NOACTION(-2),
    /** The connection is closed; only AddLog still runs. */
    EXIT(-3),
    /** The request starts again with the changes made; the number of restarts is limited. */
    RESTART(-4),
    /** The function's pool is full: its {@code busy} function runs, else 503. */
    TOOBUSY(-5),
    /** No outcome yet: the function took a {@link PendingStep} from the run and completes it later. */
    WAITING(1);

    private final int code;

    StepOutcome(int code) {
        this.code = code;
    }

    /** The Sun proxy's number, {@code REQ_PROCEED} and so on. */
    public int code() {
        return code;
    }
}
