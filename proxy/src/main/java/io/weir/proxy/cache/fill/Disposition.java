package io.weir.proxy.cache.fill;

/** What the leader does with the answer whose head it passed to its fill. */
public enum Disposition {
    /** Append the body to the fill, then complete it; the leader's own client reads through its cursor like all others. */
    STORE,
    /**
     * Not stored, see {@link Fill#passReason()}: stream the answer to the leader's own client only. The fill is over.
     */
    PASS,
    /** Answered from the store (304 merged, or a stale object instead of an error): drop the origin's body. The fill is over. */
    SERVED,
    /**
     * A 304 that matches nothing stored (RFC 9111 4.3.4): repeat the request without conditions, then respond again.
     */
    REPEAT
}
