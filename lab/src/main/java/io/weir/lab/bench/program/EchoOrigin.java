package io.weir.lab.bench.program;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A connection of the origin of tunnels and WebSockets. It sends back what it receives: raw bytes, or if the connection
 * begins with a WebSocket's handshake (RFC 6455), each frame's payload. {@code GET /count} answers the number of payload
 * bytes of all connections. Clients mask with zeros, which leaves a payload as it is. Confined to its loop.
 */
final class EchoOrigin extends ChannelInboundHandlerAdapter {
    private static final Pattern KEY = Pattern.compile("(?i)\r\nsec-websocket-key: *([^\r]*)\r\n");
    private static final String MAGIC = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
    private static final int MASK_BYTES = 4;
    private final AtomicLong echoed;
    private final StringBuilder head = new StringBuilder();
    private State state = State.BEGIN;
    private final byte[] frame = new byte[14];
    private int frameBytes;
    private long payload;

    private enum State {
        BEGIN,
        RAW,
        FRAMES
    }

    /** @param echoed the count of all connections */
    EchoOrigin(AtomicLong echoed) {
        this.echoed = echoed;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) throws NoSuchAlgorithmException {
        ByteBuf in = (ByteBuf) message;
        if (state == State.BEGIN) {
            if (head.isEmpty() && in.getByte(in.readerIndex()) != 'G') {
                state = State.RAW;
            } else {
                begin(ctx, in);
            }
        }
        switch (state) {
            case RAW -> {
                echoed.getAndAdd(in.readableBytes());
                var _ = ctx.write(in, ctx.voidPromise());
            }
            case FRAMES -> {
                frames(ctx, in);
                in.release();
            }
            case BEGIN -> in.release();
        }
    }

    private void begin(ChannelHandlerContext ctx, ByteBuf in) throws NoSuchAlgorithmException {
        while (in.isReadable() && head.indexOf("\r\n\r\n") < 0) {
            head.append((char) in.readByte());
        }
        if (head.indexOf("\r\n\r\n") < 0) {
            return;
        }
        if (head.indexOf("GET /count ") == 0) {
            String body = echoed + "\n";
            var _ = write(
                            ctx,
                            "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: " + body.length() + "\r\n\r\n"
                                    + body)
                    .addListener(ChannelFutureListener.CLOSE);
            return;
        }
        Matcher key = KEY.matcher(head);
        if (!key.find()) {
            var _ = write(ctx, "HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
                    .addListener(ChannelFutureListener.CLOSE);
            return;
        }
        var _ = write(
                ctx,
                "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                        + "Sec-WebSocket-Accept: " + accept(key.group(1).strip()) + "\r\n\r\n");
        state = State.FRAMES;
    }

    private static ChannelFuture write(ChannelHandlerContext ctx, String text) {
        return ctx.writeAndFlush(Unpooled.copiedBuffer(text, StandardCharsets.US_ASCII));
    }

    /** RFC 6455 section 4.2.2. */
    static String accept(String key) throws NoSuchAlgorithmException {
        return Base64.getEncoder()
                .encodeToString(
                        MessageDigest.getInstance("SHA-1").digest((key + MAGIC).getBytes(StandardCharsets.US_ASCII)));
    }

    private void frames(ChannelHandlerContext ctx, ByteBuf in) {
        while (in.isReadable()) {
            if (payload == 0) {
                frame[frameBytes++] = in.readByte();
                if (frameBytes >= 2 && frameBytes == extended() + MASK_BYTES) {
                    payload = WebSocketFrames.payload(frame);
                    var _ = ctx.write(Unpooled.wrappedBuffer(answering()), ctx.voidPromise());
                    frameBytes = 0;
                }
                continue;
            }
            int part = (int) Math.min(payload, in.readableBytes());
            payload -= part;
            echoed.getAndAdd(part);
            var _ = ctx.write(in.readRetainedSlice(part), ctx.voidPromise());
        }
    }

    /** The bytes of the frame's head without the mask. */
    private int extended() {
        return WebSocketFrames.headBytes(frame[1] & 0x7f);
    }

    /** The same head without the mask. */
    private byte[] answering() {
        byte[] bytes = Arrays.copyOf(frame, extended());
        bytes[1] &= 0x7f;
        return bytes;
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
