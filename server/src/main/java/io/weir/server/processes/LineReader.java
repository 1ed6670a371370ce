package io.weir.server.processes;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.nio.charset.StandardCharsets;

/** Lines of text on the socket between supervisor and worker. Confined to its channel's loop. */
abstract class LineReader extends ChannelInboundHandlerAdapter {
    /** Both ends are the same program: longer lines would be a defect. */
    private static final int MOST = 64 * 1024;

    private final StringBuilder begun = new StringBuilder();

    /** A line came, without its end. */
    abstract void line(ChannelHandlerContext ctx, String line);

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf bytes = (ByteBuf) message;
        try {
            begun.append(bytes.toString(StandardCharsets.UTF_8));
        } finally {
            bytes.release();
        }
        int end;
        while ((end = begun.indexOf("\n")) >= 0) {
            String line = begun.substring(0, end);
            begun.delete(0, end + 1);
            line(ctx, line);
        }
        if (begun.length() > MOST) {
            var _ = ctx.close();
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        // the other end is gone or talks nonsense: the close says so
        var _ = ctx.close();
    }

    /** Sends a line. */
    static void say(ChannelHandlerContext ctx, String line) {
        var _ = ctx.writeAndFlush(ctx.alloc().buffer().writeBytes((line + "\n").getBytes(StandardCharsets.UTF_8)));
    }
}
