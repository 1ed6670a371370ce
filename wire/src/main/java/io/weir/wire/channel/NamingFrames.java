package io.weir.wire.channel;

import io.netty.buffer.ByteBuf;
import io.weir.wire.WireConnection;
import io.weir.wire.WireFrame;
import org.jspecify.annotations.Nullable;

/**
 * Answers the frames of naming on a server's connections, before the connection's own handler receives them. Shared.
 */
public interface NamingFrames {
    /**
     * Answers a frame. Called on the connection's loop.
     *
     * @param type null if this version has no such frame
     * @return false if it is not a frame that naming answers
     */
    boolean frame(WireConnection connection, @Nullable WireFrame type, int stream, ByteBuf payload);
}
