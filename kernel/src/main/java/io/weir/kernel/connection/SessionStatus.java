package io.weir.kernel.connection;

/** What a session does: the thread states of the Sun proxy's statistics, and states that have no counterpart there. */
public enum SessionStatus {
    UNKNOWN("unknown"),
    IDLE("idle"),
    /** Waits for its origin's addresses to be resolved. */
    DNS("DNS"),
    REQUEST("request"),
    /** Waits for a slot. */
    QUEUED("queued"),
    /** Waits for another request's fetch of the same object. */
    AWAITING_FETCH("awaiting-fetch"),
    /** Waits for a connection to its origin, because all are in use. */
    AWAITING_CONNECTION("awaiting-connection"),
    PROCESSING("processing"),
    RESPONSE("response"),
    UPDATING("updating"),
    TUNNEL("tunnel"),
    KEEP_ALIVE("keep-alive"),
    /** An execute thread that works for the session is stuck. */
    STUCK("stuck");

    private final String word;

    SessionStatus(String word) {
        this.word = word;
    }

    /** The name that perfdump and stats-xml show. */
    public String word() {
        return word;
    }
}
