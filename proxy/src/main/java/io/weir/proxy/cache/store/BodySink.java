package io.weir.proxy.cache.store;

import io.netty.buffer.ByteBuf;

/**
 * A body that goes below the memory while it arrives, because it is too large for memory. What was written can be read
 * at once. Called by one thread at a time, but for the figures; calls its listener from a thread of its own, without
 * locks. Ends with {@link #end} or {@link #abort}.
 */
public interface BodySink {
    /** Who fills it. */
    interface Listener {
        /** More of the body needs no memory any more. */
        void progressed();

        /** Called once, unless it was aborted: after {@link #end}, or because the rest cannot be written. */
        void ended(boolean whole);
    }

    /** Takes a retained piece over; never waits. */
    void write(ByteBuf piece);

    /** All of it was passed. */
    void end();

    /** Nothing of it is needed but what its readers have not read yet. */
    void abort();

    /** Bytes from the start that were passed and are not written yet. */
    long unwritten();

    /** Bytes from the start that can be read below. */
    long readable();

    /** What can be read; one more reference for the caller. */
    LowerBody body();

    /** After the last read: gives the sink's own reference up. */
    void close();
}
