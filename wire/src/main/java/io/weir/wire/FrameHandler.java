package io.weir.wire;

import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * What a connection's frames go to once its handshake is done. One per connection, called on the connection's event loop
 * only; it must not block. A {@link WireFault} thrown by any method is answered with an ERROR frame and ends the
 * connection; any other exception is a programmer's error: counted, logged, and the connection ends.
 */
public interface FrameHandler {
    /**
     * A frame of a type that is not the wire's own.
     *
     * @param type the frame's type, 0x10 to 0xff
     * @param stream the frame's stream, as sent
     * @param payload the bytes from its reader index to its writer index, during this call only. To keep some, take a
     *     retained slice ({@code readRetainedSlice}); the buffer itself must not be retained: its indices move on
     */
    void frame(int type, int stream, ByteBuf payload);

    /** All frames of one read were handed over; what was sent meanwhile is flushed after this call. */
    default void readComplete() {
        // most handlers have nothing to do
    }

    /** The bytes waiting to be sent crossed the high mark (false) or fell below the low one (true). */
    default void writable(boolean now) {
        // a handler that sends only answers need not care
    }

    /**
     * The connection is closed; the last call, made exactly once.
     *
     * @param cause null when it was closed cleanly by either end; a {@link WireFault} for a fault; else what the socket said
     */
    void closed(@Nullable Throwable cause);

    /**
     * The peer left with GOODBYE and takes the connection's end for the word that nothing of it is in use any more. Called
     * after {@link #closed}; the connection ends when the action has run.
     *
     * @param then to be run, on the loop, once all that the connection held is free
     */
    default void whenFree(Runnable then) {
        // what closed() frees at once needs no wait
        then.run();
    }
}
