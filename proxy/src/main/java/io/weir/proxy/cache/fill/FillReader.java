package io.weir.proxy.cache.fill;

import io.netty.buffer.ByteBufAllocator;
import java.util.concurrent.Executor;

/** A reader of a fill: an exchange of the engine. Confined to its executor. */
public interface FillReader {
    /** The event loop on which {@link #ready} runs; it queues each task and never runs it in the calling thread. */
    Executor executor();

    /** For what is read from the disk. */
    default ByteBufAllocator allocator() {
        return ByteBufAllocator.DEFAULT;
    }

    /**
     * {@link FillCursor#poll} may have a signal: called once after poll returned WAIT, so at most one call is
     * outstanding. A reader polls on its own initiative after joining, and after it had stopped polling because its
     * client is slow.
     */
    void ready(FillCursor cursor);
}
