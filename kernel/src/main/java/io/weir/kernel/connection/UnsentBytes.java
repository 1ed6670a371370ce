package io.weir.kernel.connection;

import io.netty.buffer.ByteBuf;
import io.netty.channel.FileRegion;
import io.netty.channel.MessageSizeEstimator;

/**
 * How many bytes a message written to a client has to send. Parts of files count, too, which Netty takes for nothing: so a
 * connection with one is not writable, and that its client reads is seen. Stateless.
 */
final class UnsentBytes implements MessageSizeEstimator, MessageSizeEstimator.Handle {
    static final UnsentBytes INSTANCE = new UnsentBytes();

    private UnsentBytes() {}

    static int of(Object message) {
        return switch (message) {
            case ByteBuf bytes -> bytes.readableBytes();
            case FileRegion part -> (int) Math.min(Integer.MAX_VALUE, part.count() - part.transferred());
            default -> 0;
        };
    }

    @Override
    public int size(Object message) {
        return of(message);
    }

    @Override
    public Handle newHandle() {
        return this;
    }
}
