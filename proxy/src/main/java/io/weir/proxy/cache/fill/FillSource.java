package io.weir.proxy.cache.fill;

import java.util.concurrent.Executor;

/** The leader's fetch, as the fill sees it: how to pause and end it. Confined to its executor. */
public interface FillSource {
    /**
     * The event loop on which the other methods run, and on which the fill is written; it queues each task and never
     * runs it in the calling thread.
     */
    Executor executor();

    /** {@link Fill#append} had returned false: continue reading from the origin. */
    void resume();

    /**
     * The last reader has left and the fetch continues only for the store: its time is now limited. May be called
     * again.
     */
    void unread();

    /** The answer is no longer needed: end the fetch. The fill is over; nothing may be written to it. */
    void abandon();
}
