package io.weir.proxy.cache;

import java.util.concurrent.Executor;

/** Who reads from a fill: an exchange of the engine. Confined to its executor. */
public interface FillReader {
    /** The event loop on which {@link #ready} runs. */
    Executor executor();

    /**
     * There may be something to {@link FillCursor#poll}. At most one such call is outstanding. Also sent after
     * {@link FillCursor#poll} said WAIT only; a reader that stopped polling for back-pressure polls again by itself.
     */
    void ready(FillCursor cursor);
}
