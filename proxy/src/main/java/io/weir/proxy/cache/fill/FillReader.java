package io.weir.proxy.cache.fill;

import java.util.concurrent.Executor;

/** Who reads from a fill: an exchange of the engine. Confined to its executor. */
public interface FillReader {
    /** The event loop on which {@link #ready} runs: it queues what it is given and never runs it at once. */
    Executor executor();

    /**
     * There may be something to {@link FillCursor#poll}: comes once after poll said WAIT, so at most one is outstanding. A
     * reader polls by itself after joining, and when it had stopped polling because its client is slow.
     */
    void ready(FillCursor cursor);
}
