package io.weir.lab.bench.program;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Writes a fixed answer for each end of a request's head. Confined to its connection's loop. */
final class BareAnswer extends ChannelInboundHandlerAdapter {
    private static final int END = ('\r' << 24) | ('\n' << 16) | ('\r' << 8) | '\n';
    private final ByteBuf answer;
    /** The last four bytes. */
    private int last;

    /** @param answer of {@link #of}, shared by all connections */
    BareAnswer(ByteBuf answer) {
        this.answer = answer;
    }

    /** An answer with a body of this size; it is never released. */
    static ByteBuf of(int bytes) {
        String head =
                "HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\nContent-Length: " + bytes + "\r\n\r\n";
        ByteBuffer answer = ByteBuffer.allocateDirect(head.length() + bytes);
        answer.put(head.getBytes(StandardCharsets.US_ASCII)).clear();
        return Unpooled.unreleasableBuffer(Unpooled.wrappedBuffer(answer).asReadOnly());
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf in = (ByteBuf) message;
        int seen = last;
        for (int i = in.readerIndex(); i < in.writerIndex(); i++) {
            seen = (seen << 8) | in.getByte(i);
            if (seen == END) {
                var _ = ctx.write(answer.duplicate(), ctx.voidPromise());
            }
        }
        last = seen;
        in.release();
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        ctx.flush();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        // a client that ended its turn
        var _ = ctx.close();
    }
}
