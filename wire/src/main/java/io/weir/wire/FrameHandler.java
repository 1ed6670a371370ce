package io.weir.wire;

import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * Receives a connection's frames once its handshake is done. One per connection, called on the connection's event loop
 * only; it must not block. A {@link WireFault} thrown by any method is answered with an ERROR frame and closes the
 * connection; any other exception is a programming error: it is counted and logged, and the connection is closed.
 */
public interface FrameHandler {
    /**
     * Receives a frame whose type belongs to a service.
     *
     * @param type the frame's type, 0x10 to 0xff
     * @param stream the frame's stream, as sent
     * @param payload the bytes from its reader index to its writer index, during this call only. To keep some, take a
     * retained slice ({@code readRetainedSlice}); the buffer itself must not be retained, because its indices change
     */
    void frame(int type, int stream, ByteBuf payload);

    /** All frames of one read were passed on; frames sent in the meantime are flushed after this call. */
    default void readComplete() {
        // most handlers have nothing to do
    }

    /** The pending outbound bytes rose above the high mark (false) or fell below the low mark (true). */
    default void writable(boolean now) {
        // a handler that only sends responses need not react
    }

    /**
     * The connection is closed; the last call, made exactly once.
     *
     * @param cause null if it was closed cleanly by either end; a {@link WireFault} for a fault; otherwise the socket's
     * exception
     */
    void closed(@Nullable Throwable cause);

    /**
     * The peer left with GOODBYE and interprets the close of the connection as confirmation that none of its resources
     * is in use any more. Called after {@link #closed}; the connection is closed when the action has run.
     *
     * @param then must be run, on the loop, once all that the connection held is free
     */
    default void whenFree(Runnable then) {
        // what closed() frees immediately needs no wait
        then.run();
    }
}
