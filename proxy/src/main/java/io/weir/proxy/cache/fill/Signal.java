package io.weir.proxy.cache.fill;

/** The result of {@link FillCursor#poll}. */
public enum Signal {
    /** Nothing now: {@link FillReader#ready} follows. */
    WAIT,
    /** The head: {@link FillCursor#object()}. Returned once, before all DATA. */
    HEAD,
    /** A piece of the body: {@link FillCursor#data()}, which the caller then owns. */
    DATA,
    /** The body is complete; {@link FillCursor#trailers()} may hold trailer fields. */
    END,
    /** Not for this reader (uncacheable, or another variant): close the cursor and decide again. */
    RELEASED,
    /**
     * The leader failed before its head arrived and this reader takes over: {@link Fill#lead} and fetch. The cursor
     * stays open.
     */
    LEAD,
    /**
     * The fetch failed: {@link FillCursor#failure()}. After HEAD the connection must be closed: the body is truncated.
     */
    FAILED
}
