package io.weir.wire.channel;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoop;
import io.weir.wire.WireConnection;
import io.weir.wire.WireFrame;
import java.net.InetSocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A connection's properties and sending, once it is in a pipeline: the part of {@link WireChannel} that is callable
 * from any thread. Shared; lives as long as its channel.
 */
abstract sealed class ConnectionEnd extends ChannelInboundHandlerAdapter implements WireConnection permits WireChannel {
    private volatile Opened agreed = Opened.NOT_YET;
    // the server closes from another thread
    private volatile @Nullable ChannelHandlerContext ctx;
    private @Nullable Outbound outbound;

    /** Sets the pipeline context; called when the handler was added. */
    final void attach(ChannelHandlerContext c, Outbound o) {
        outbound = o;
        ctx = c;
    }

    /** Sets what the handshake has agreed on so far. */
    public final void agreed(Opened o) {
        agreed = o;
    }

    final Opened agreed() {
        return agreed;
    }

    @Override
    public final ByteBuf newFrame(int type, int stream, int sizeHint) {
        ByteBuf frame = out().frame(WireFrame.HEAD + sizeHint);
        return frame.writeInt(0).writeByte(type).writeInt(stream);
    }

    @Override
    public final ByteBuf newFrame(int type, int stream, int bytes, ByteBuf shared) {
        ByteBuf frame = out().frame(bytes, shared);
        return frame == null
                ? newFrame(type, stream, bytes)
                : frame.writeInt(WireFrame.HEAD - WireFrame.LENGTH + bytes + shared.readableBytes())
                        .writeByte(type)
                        .writeInt(stream);
    }

    @Override
    public final void send(ByteBuf frame) {
        out().send(frame, null);
    }

    @Override
    public final void send(ByteBuf frame, ByteBuf shared) {
        out().send(frame, shared);
    }

    @Override
    public final void flush() {
        if (loop().inEventLoop()) {
            out().flushNow();
        }
    }

    @Override
    public final long id() {
        return agreed.id();
    }

    @Override
    public final int version() {
        return agreed.version();
    }

    @Override
    public final String user() {
        return agreed.user();
    }

    @Override
    public final List<String> groups() {
        return agreed.groups();
    }

    @Override
    public final InetSocketAddress remote() {
        return context().channel().remoteAddress() instanceof InetSocketAddress a
                ? a
                : InetSocketAddress.createUnresolved("unknown", 0);
    }

    @Override
    public final EventLoop loop() {
        return context().channel().eventLoop();
    }

    @Override
    public final boolean isWritable() {
        return out().isWritable();
    }

    @Override
    public final long pendingBytes() {
        return out().pending();
    }

    @Override
    public final String toString() {
        return "connection " + Long.toHexString(id()) + " with " + remote();
    }

    final boolean attached() {
        return ctx != null;
    }

    final ChannelHandlerContext context() {
        ChannelHandlerContext c = ctx;
        if (c == null) {
            throw new IllegalStateException("not in a pipeline yet");
        }
        return c;
    }

    final Outbound out() {
        Outbound o = outbound;
        if (o == null) {
            throw new IllegalStateException("not in a pipeline yet");
        }
        return o;
    }
}
