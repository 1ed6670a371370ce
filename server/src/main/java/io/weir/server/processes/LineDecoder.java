package io.weir.server.processes;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** Lines of text on the socket between supervisor and worker. Confined to its channel's loop. */
abstract class LineDecoder extends ChannelInboundHandlerAdapter {
    /** Both ends are the same program: longer lines would be a bug. */
    private static final int MAX_LENGTH = 256 * 1024;

    private final ByteArrayOutputStream begun = new ByteArrayOutputStream();

    /** A line has arrived, without its line end. */
    abstract void line(ChannelHandlerContext ctx, String line);

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf bytes = (ByteBuf) message;
        try {
            read(ctx, bytes);
        } finally {
            bytes.release();
        }
        if (begun.size() > MAX_LENGTH) {
            var _ = ctx.close();
        }
    }

    private void read(ChannelHandlerContext ctx, ByteBuf bytes) {
        int length;
        while ((length = bytes.bytesBefore((byte) '\n')) >= 0) {
            begun.writeBytes(take(bytes, length));
            bytes.skipBytes(1);
            String line = begun.toString(StandardCharsets.UTF_8);
            begun.reset();
            line(ctx, line);
        }
        begun.writeBytes(take(bytes, bytes.readableBytes()));
    }

    private static byte[] take(ByteBuf from, int length) {
        byte[] taken = new byte[length];
        from.readBytes(taken);
        return taken;
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        // the other end is gone or sends invalid data: the close signals it
        var _ = ctx.close();
    }

    /** Sends a line. */
    static void say(ChannelHandlerContext ctx, String line) {
        var _ = ctx.writeAndFlush(ctx.alloc().buffer().writeBytes((line + "\n").getBytes(StandardCharsets.UTF_8)));
    }
}
