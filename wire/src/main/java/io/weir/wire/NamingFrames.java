package io.weir.wire;

import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/** Answers the frames of naming on a server's connections, before the connection's own handler sees them. Shared. */
interface NamingFrames {
    /**
     * Answers a frame. On the connection's loop.
     *
     * @param type null where this version knows no such frame
     * @return false where it is none that naming answers
     */
    boolean frame(WireChannel connection, @Nullable WireFrame type, int stream, ByteBuf payload);
}
