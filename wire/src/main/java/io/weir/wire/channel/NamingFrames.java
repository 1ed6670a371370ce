package io.weir.wire.channel;

import io.netty.buffer.ByteBuf;
import io.weir.wire.WireConnection;
import io.weir.wire.WireFrame;
import org.jspecify.annotations.Nullable;

/** Answers the frames of naming on a server's connections, before the connection's own handler sees them. Shared. */
public interface NamingFrames {
    /**
     * Answers a frame. On the connection's loop.
     *
     * @param type null where this version knows no such frame
     * @return false where it is none that naming answers
     */
    boolean frame(WireConnection connection, @Nullable WireFrame type, int stream, ByteBuf payload);
}
