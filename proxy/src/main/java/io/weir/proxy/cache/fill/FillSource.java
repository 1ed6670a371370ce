package io.weir.proxy.cache.fill;

import java.util.concurrent.Executor;

/** The leader's fetch, as the fill sees it: how to slow it down and to end it. Confined to its executor. */
public interface FillSource {
    /**
     * The event loop on which the other methods run, and on which the fill is written; it queues and never runs at
     * once.
     */
    Executor executor();

    /** {@link Fill#append} had said to pause: go on reading from the origin. */
    void resume();

    /**
     * The last reader has left and the fetch continues only for the store: from now on its time is limited. May be
     * called again.
     */
    void unread();

    /** Nobody wants the answer any more: end the fetch. The fill is over; nothing may be written to it. */
    void abandon();
}
