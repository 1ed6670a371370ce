package io.weir.proxy.cache.fill;

/** What {@link FillCursor#poll} found. */
public enum Signal {
    /** Nothing now: {@link FillReader#ready} follows. */
    WAIT,
    /** The head: {@link FillCursor#object()}. Comes once, before all DATA. */
    HEAD,
    /** A piece of the body: {@link FillCursor#data()}, which the caller then owns. */
    DATA,
    /** The body is complete; {@link FillCursor#trailers()} may hold trailer fields. */
    END,
    /** Not for this reader (uncacheable, or another variant): close the cursor and decide again. */
    RELEASED,
    /** The leader failed before its head came and this reader takes over: {@link Fill#lead} and fetch. The cursor stays. */
    LEAD,
    /** The fetch failed: {@link FillCursor#failure()}. After HEAD the connection is to be closed: the body is cut. */
    FAILED
}
