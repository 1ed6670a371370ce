package io.weir.proxy.http2;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.DefaultHttp2ResetFrame;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2FrameStreamException;
import io.netty.handler.codec.http2.Http2GoAwayFrame;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2ResetFrame;
import io.netty.handler.codec.http2.Http2Stream;
import io.netty.handler.codec.http2.Http2StreamChannel;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.PromiseNotifier;
import io.weir.http.BodyDecoder;
import io.weir.http.DecoderLimits;
import io.weir.http.Encoder;
import io.weir.http.FieldName;
import io.weir.http.HeadScratch;
import io.weir.http.Method;
import io.weir.http.Progress;
import io.weir.http.RequestDecoder;
import io.weir.http.RequestHead;
import io.weir.http.Side;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Translates between HTTP/1 syntax, which an origin connection uses, and the frames of one stream to an origin:
 * requests are decoded as by a server, answers are written so that the strict decoder of answers checks them. Bodies
 * are not copied. First handler of a stream's channel, confined to its muxer; lives for one request.
 */
public final class OriginStream extends ChannelDuplexHandler {
    /** The origin reports that it has not processed the request: it may be sent again, whatever its method. */
    public enum Unprocessed {
        REFUSED,
        GOING_AWAY
    }

    /** Heads written by Weir itself need no tighter limits. */
    private static final DecoderLimits LIMITS =
            new DecoderLimits(1 << 20, 256, 1 << 20, 4096, 256, 16_384, 1 << 16, 256);

    private static final int HEAD_BYTES = 1024;
    private static final byte[] NO_HEAD = "malformed\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] CRLF = "\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] LAST_CHUNK = "0\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private final boolean tls;
    private final boolean switches;
    private final Http2Counters counters;
    private final RequestDecoder decoder;
    private final BodyDecoder body = new BodyDecoder(Side.REQUEST, () -> LIMITS);
    private boolean headSent;
    private boolean ended;
    /** The write of the end of a request's body: later writes are empty, and complete together with it. */
    private @Nullable ChannelFuture end;

    private boolean bodiless;
    private boolean answered;
    private boolean chunked;
    private @Nullable String protocol;
    private @Nullable String webSocketKey;
    private boolean raw;

    /**
     * For a connection with or without TLS.
     *
     * @param switches the origin supports extended CONNECT
     */
    public OriginStream(boolean tls, boolean switches, HeadScratch scratch, Http2Counters counters) {
        this.tls = tls;
        this.switches = switches;
        this.counters = counters;
        this.decoder = new RequestDecoder(() -> LIMITS, scratch);
    }

    @Override
    public void write(ChannelHandlerContext ctx, Object msg, ChannelPromise promise) {
        if (!(msg instanceof ByteBuf in)) {
            var _ = ctx.write(msg, promise);
            return;
        }
        if (raw) {
            var _ = ctx.write(new DefaultHttp2DataFrame(in, false), promise);
            return;
        }
        ChannelFuture e = end;
        if (e != null) {
            in.release();
            if (!promise.isVoid()) {
                var _ = PromiseNotifier.cascade(false, e, promise);
            }
            return;
        }
        try {
            if (headSent || head(ctx, in)) {
                body(ctx, in);
            }
        } finally {
            in.release();
            promise.trySuccess();
        }
    }

    private boolean head(ChannelHandlerContext ctx, ByteBuf in) {
        Progress progress = decoder.decode(in);
        if (progress == Progress.FAULT) {
            throw new IllegalStateException("a request of Weir's own is refused: " + decoder.fault());
        }
        if (progress == Progress.MORE) {
            return false;
        }
        RequestHead head = decoder.head();
        body.begin(head.framing(), head.contentLength());
        headSent = true;
        ended = body.done();
        bodiless = head.methodId() == Method.HEAD;
        protocol = switches ? requestedProtocol(head) : null;
        if (protocol == null) {
            var _ = ctx.write(new DefaultHttp2HeadersFrame(OriginFields.of(head, tls), ended));
        } else {
            webSocketKey = head.fields().first(FieldName.SEC_WEBSOCKET_KEY);
            var _ = ctx.write(new DefaultHttp2HeadersFrame(OriginFields.of(head, tls, protocol), false));
        }
        decoder.reset();
        return true;
    }

    /** The protocol that a request wants to upgrade to, if an extended CONNECT supports it; null if none. */
    private static @Nullable String requestedProtocol(RequestHead head) {
        String named = head.fields().combined(FieldName.UPGRADE);
        if (named == null || head.methodId() != Method.GET || named.indexOf(',') >= 0) {
            return null;
        }
        return named.strip();
    }

    private void body(ChannelHandlerContext ctx, ByteBuf in) {
        while (!ended) {
            ByteBuf piece = body.next(in);
            ended = body.done();
            if (ended && body.hasTrailers()) {
                if (piece != null) {
                    var _ = ctx.write(new DefaultHttp2DataFrame(piece, false));
                }
                end = ctx.write(new DefaultHttp2HeadersFrame(AnswerHead.trailers(body.trailers()), true));
            } else if (ended) {
                end = ctx.write(new DefaultHttp2DataFrame(piece == null ? Unpooled.EMPTY_BUFFER : piece, true));
            } else if (piece != null) {
                var _ = ctx.write(new DefaultHttp2DataFrame(piece, false));
            } else {
                return;
            }
        }
    }

    /**
     * Netty does not reset a stream whose both sides have ended, even if the end of ours still waits for the origin's
     * window: it would be kept until the connection ends.
     */
    @Override
    public void close(ChannelHandlerContext ctx, ChannelPromise promise) {
        if (ended && ctx.channel() instanceof Http2StreamChannel channel) {
            Http2Stream.State state = channel.stream().state();
            if (state == Http2Stream.State.OPEN || state == Http2Stream.State.HALF_CLOSED_REMOTE) {
                var _ = ctx.writeAndFlush(new DefaultHttp2ResetFrame(Http2Error.CANCEL));
            }
        }
        var _ = ctx.close(promise);
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object msg) {
        switch (msg) {
            case Http2DataFrame data
            when raw -> {
                ctx.fireChannelRead(data.content());
                end(ctx, data.isEndStream());
            }
            case Http2HeadersFrame headers when raw -> end(ctx, headers.isEndStream());
            case Http2HeadersFrame headers when !answered -> answer(ctx, headers);
            case Http2HeadersFrame headers -> trailers(ctx, headers);
            case Http2DataFrame data when !answered -> early(ctx, data);
            case Http2DataFrame data -> data(ctx, data);
            default -> ReferenceCountUtil.release(msg);
        }
    }

    private static void end(ChannelHandlerContext ctx, boolean ends) {
        if (ends) {
            ctx.fireUserEventTriggered(ChannelInputShutdownEvent.INSTANCE);
        }
    }

    private void answer(ChannelHandlerContext ctx, Http2HeadersFrame frame) {
        int status = OriginFields.status(frame.headers());
        if (protocol != null && status >= 200 && status < 300) {
            switched(ctx, frame, protocol);
            return;
        }
        ByteBuf out = ctx.alloc().directBuffer(HEAD_BYTES);
        boolean interim = status >= 100 && status < 200;
        boolean wrong = status < 100 || status == 101 || (interim && frame.isEndStream());
        if (!wrong) {
            Encoder.statusLine(out, io.weir.http.Version.HTTP_1_1, status);
            wrong = !OriginFields.write(frame.headers(), out);
        }
        if (wrong) {
            out.clear().writeBytes(NO_HEAD);
            answered = true;
            ctx.fireChannelRead(out);
            return;
        }
        if (!interim) {
            answered = true;
            frame(out, frame, status);
        }
        out.writeBytes(CRLF);
        ctx.fireChannelRead(out);
    }

    /** The origin has changed the protocol: the data from now on is of that protocol, in both directions. */
    private void switched(ChannelHandlerContext ctx, Http2HeadersFrame frame, String to) {
        ByteBuf out = ctx.alloc().directBuffer(HEAD_BYTES);
        Encoder.statusLine(out, io.weir.http.Version.HTTP_1_1, 101);
        text(out, "connection: upgrade\r\nupgrade: " + to + "\r\n");
        String key = webSocketKey;
        if (key != null) {
            text(out, "sec-websocket-accept: " + WebSocketHandshake.accept(key) + "\r\n");
        }
        answered = true;
        raw = OriginFields.write(frame.headers(), out);
        if (!raw) {
            out.clear().writeBytes(NO_HEAD);
        } else {
            out.writeBytes(CRLF);
        }
        ctx.fireChannelRead(out);
        end(ctx, frame.isEndStream());
    }

    /** Writes the framing of the body; the stream carries no further request, so the connection is marked to close. */
    private void frame(ByteBuf out, Http2HeadersFrame frame, int status) {
        boolean none = bodiless || status == 204 || status == 304;
        if (!none && !frame.headers().contains("content-length")) {
            chunked = !frame.isEndStream();
            text(out, chunked ? "transfer-encoding: chunked\r\n" : "content-length: 0\r\n");
        }
        text(out, "connection: close\r\n");
    }

    private static void text(ByteBuf out, String ascii) {
        out.writeCharSequence(ascii, StandardCharsets.US_ASCII);
    }

    private void trailers(ChannelHandlerContext ctx, Http2HeadersFrame frame) {
        if (!chunked || !frame.isEndStream()) {
            return;
        }
        chunked = false;
        ByteBuf out = ctx.alloc().directBuffer(HEAD_BYTES);
        text(out, "0\r\n");
        if (!OriginFields.write(frame.headers(), out)) {
            out.writeBytes(NO_HEAD);
        }
        out.writeBytes(CRLF);
        ctx.fireChannelRead(out);
    }

    /** A body without a head (RFC 9113 section 8.1): interpreted as HTTP/1 it could contain anything. */
    private void early(ChannelHandlerContext ctx, Http2DataFrame frame) {
        frame.release();
        answered = true;
        ctx.fireChannelRead(ctx.alloc().directBuffer(NO_HEAD.length).writeBytes(NO_HEAD));
    }

    private void data(ChannelHandlerContext ctx, Http2DataFrame frame) {
        ByteBuf content = frame.content();
        int size = content.readableBytes();
        if (!chunked) {
            if (size > 0) {
                ctx.fireChannelRead(content);
            } else {
                content.release();
            }
            return;
        }
        if (size > 0) {
            ByteBuf line = ctx.alloc().directBuffer(32);
            Encoder.chunkHeader(line, size);
            ctx.fireChannelRead(line);
            ctx.fireChannelRead(content);
        } else {
            content.release();
        }
        ByteBuf after = ctx.alloc().directBuffer(8);
        if (size > 0) {
            after.writeBytes(CRLF);
        }
        if (frame.isEndStream()) {
            after.writeBytes(LAST_CHUNK);
        }
        ctx.fireChannelRead(after);
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        switch (event) {
            case Http2ResetFrame reset -> {
                counters.originReset(reset.errorCode());
                boolean refused = reset.errorCode() == Http2Error.REFUSED_STREAM.code();
                ctx.fireUserEventTriggered(refused ? Unprocessed.REFUSED : event);
            }
            case Http2GoAwayFrame goAway -> {
                goAway.release();
                ctx.fireUserEventTriggered(Unprocessed.GOING_AWAY);
            }
            default -> ctx.fireUserEventTriggered(event);
        }
    }

    /** A stream error found by the codec is the origin's fault. */
    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        boolean protocol = cause instanceof Http2Exception || cause instanceof Http2FrameStreamException;
        ctx.fireExceptionCaught(protocol ? new IOException(cause.getMessage()) : cause);
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        decoder.reset();
    }
}
