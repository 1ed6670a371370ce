package io.weir.wire;

import io.netty.buffer.ByteBuf;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The client's end of naming on one connection: its handler, or a part of a handler that gives it the frames from
 * {@link WireFrame#FIRST_OF_NAMING} to {@link WireFrame#LAST_OF_NAMING}. Its questions may be asked from any thread.
 */
public final class Naming implements FrameHandler {
    /** Naming over a connection that is logged in. */
    public Naming(WireConnection connection) {}

    /** What the name stands for; completes with null when there is no such name. */
    public CompletableFuture<@Nullable NamingEntry> lookup(String name) {
        throw new UnsupportedOperationException();
    }

    /** The entries whose name begins with the prefix, in the order of their names. */
    public CompletableFuture<List<NamingEntry>> list(String prefix) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void frame(int type, int stream, ByteBuf payload) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void closed(@Nullable Throwable cause) {
        throw new UnsupportedOperationException();
    }
}
