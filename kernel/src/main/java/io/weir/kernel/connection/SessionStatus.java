package io.weir.kernel.connection;

/** What a session does: the words of the Sun proxy's statistics for threads, and what has no word there. */
public enum SessionStatus {
    UNKNOWN("unknown"),
    IDLE("idle"),
    /** It waits for the addresses of its origin. */
    DNS("DNS"),
    REQUEST("request"),
    /** It waits for a slot. */
    QUEUED("queued"),
    /** What another request fetches is what it waits for. */
    AWAITING_FETCH("awaiting-fetch"),
    /** All connections to its origin are in use. */
    AWAITING_CONNECTION("awaiting-connection"),
    PROCESSING("processing"),
    RESPONSE("response"),
    UPDATING("updating"),
    TUNNEL("tunnel"),
    KEEP_ALIVE("keep-alive"),
    /** An execute thread that works for it is stuck. */
    STUCK("stuck");

    private final String word;

    SessionStatus(String word) {
        this.word = word;
    }

    /** The word that perfdump and stats-xml show. */
    public String word() {
        return word;
    }
}
