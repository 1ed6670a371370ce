package io.weir.proxy.program;

/** What a function answers: the return codes of the seed's NSAPI (reference 1.3) and {@link #WAITING}. Immutable. */
public enum Outcome {
    /** Done: ends a stage that applies one directive, continues one that applies all. */
    PROCEED(0),
    /** Failed: the Error stage, then AddLog. Without a fault that is an internal error, 500. */
    ABORTED(-1),
    /** Declined: the next directive is tried. */
    NOACTION(-2),
    /** The connection is closed, nothing more runs but AddLog. */
    EXIT(-3),
    /** The request starts again with what was changed; the number of restarts is limited. */
    RESTART(-4),
    /** The function's pool is full: its {@code busy} function runs, else 503. */
    TOOBUSY(-5),
    /** No outcome yet: the function took a {@link Pending} from the run and completes it later. */
    WAITING(1);

    private final int code;

    Outcome(int code) {
        this.code = code;
    }

    /** The seed's number, {@code REQ_PROCEED} and so on. */
    public int code() {
        return code;
    }
}
