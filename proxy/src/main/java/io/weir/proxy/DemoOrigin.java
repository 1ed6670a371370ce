package io.weir.proxy;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.SimpleChannelInboundHandler;
import io.weir.base.Clock;
import io.weir.http.BodyDecoder;
import io.weir.http.DecoderLimits;
import io.weir.http.Encoder;
import io.weir.http.FieldName;
import io.weir.http.Method;
import io.weir.http.Progress;
import io.weir.http.RequestDecoder;
import io.weir.http.RequestHead;
import io.weir.http.Side;
import io.weir.http.Version;
import io.weir.http.semantics.HttpDate;
import io.weir.kernel.Kernel;
import io.weir.proxy.pool.OriginKey;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The small origin server of the embedded default, which shows the proxy and its cache at work: a page that may be
 * cached for a minute, and the time, which may not. Listens on its own loopback port if a route uses it. Shared; its
 * connections are confined to the kernel's muxers.
 */
final class DemoOrigin implements AutoCloseable {
    private static final String PAGE = """
            <!doctype html>
            <html lang="en"><meta charset="utf-8"><title>Weir demo origin</title>
            <body style="font-family:system-ui;max-width:40rem;margin:4rem auto;line-height:1.5">
            <h1>It works.</h1>
            <p>This page comes from Weir's built-in demo origin, through the reverse proxy. It may be cached for 60
            seconds: request it again and look at the fields <code>Cache-Status</code> and <code>Age</code>.</p>
            <p><a href="/time">/time</a> is never cached.</p>
            </body></html>
            """;

    private final Kernel kernel;
    private final Clock clock;
    private final ReentrantLock opening = new ReentrantLock();
    private volatile @Nullable Channel listener;

    DemoOrigin(Kernel kernel, Clock clock) {
        this.kernel = kernel;
        this.clock = clock;
    }

    /** The address that it listens on. */
    OriginKey key() {
        Channel open = listener;
        if (open == null) {
            throw new IllegalStateException("the demo origin is not open");
        }
        int port = ((InetSocketAddress) open.localAddress()).getPort();
        return new OriginKey(false, InetAddress.getLoopbackAddress().getHostAddress(), port, false);
    }

    /** Opens it unless it is open. Waits for the bind, so it is not called on a muxer. */
    void open() {
        opening.lock();
        try {
            if (listener == null) {
                listener = bind();
            }
        } finally {
            opening.unlock();
        }
    }

    private Channel bind() {
        ServerBootstrap bootstrap = new ServerBootstrap()
                .group(kernel.muxers().group())
                .channelFactory(kernel.choice().transport().server())
                .childHandler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline().addLast(new Answers());
                    }
                });
        return bootstrap
                .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .syncUninterruptibly()
                .channel();
    }

    @Override
    public void close() {
        Channel open = listener;
        if (open != null) {
            var _ = open.close();
        }
    }

    /** Answers one connection. Confined to its loop. */
    private final class Answers extends SimpleChannelInboundHandler<ByteBuf> {
        private final RequestDecoder decoder = new RequestDecoder(DecoderLimits.DEFAULT);
        private final BodyDecoder body = new BodyDecoder(Side.REQUEST, () -> DecoderLimits.DEFAULT);
        private boolean inBody;

        @Override
        protected void channelRead0(ChannelHandlerContext ctx, ByteBuf in) {
            boolean more = true;
            while (more) {
                more = inBody ? skipBody(ctx, in) : in.isReadable() && readHead(ctx, in);
            }
        }

        private boolean readHead(ChannelHandlerContext ctx, ByteBuf in) {
            Progress progress = decoder.decode(in);
            if (progress == Progress.FAULT) {
                var _ = ctx.close();
            }
            if (progress != Progress.HEAD) {
                return false;
            }
            body.begin(decoder.head().framing(), decoder.head().contentLength());
            inBody = true;
            return true;
        }

        /** The pages expect no request body: it is read and discarded. */
        private boolean skipBody(ChannelHandlerContext ctx, ByteBuf in) {
            for (ByteBuf data = body.next(in); data != null; data = body.next(in)) {
                data.release();
            }
            if (body.fault() != null) {
                var _ = ctx.close();
                return false;
            }
            if (!body.done()) {
                return false;
            }
            inBody = false;
            answer(ctx, decoder.head());
            return true;
        }

        private void answer(ChannelHandlerContext ctx, RequestHead request) {
            boolean page = request.path().equals("/");
            boolean time = request.path().equals("/time");
            long now = clock.millis() / 1000;
            String text = page ? PAGE : time ? HttpDate.format(now) + "\n" : "There is no such page here.\n";
            byte[] body = text.getBytes(StandardCharsets.UTF_8);
            ByteBuf out = ctx.alloc().directBuffer(512 + body.length);
            Encoder.statusLine(out, Version.HTTP_1_1, page || time ? 200 : 404);
            Encoder.field(out, FieldName.DATE, HttpDate.format(now));
            Encoder.field(out, FieldName.SERVER, "Weir-demo");
            Encoder.field(out, FieldName.CONTENT_TYPE, page ? "text/html; charset=utf-8" : "text/plain; charset=utf-8");
            Encoder.field(out, FieldName.CONTENT_LENGTH, body.length);
            Encoder.field(out, FieldName.CACHE_CONTROL, page ? "max-age=60" : "no-store");
            if (page) {
                Encoder.field(out, FieldName.ETAG, "\"weir-demo-1\"");
            }
            Encoder.endOfHead(out);
            if (request.methodId() != Method.HEAD) {
                out.writeBytes(body);
            }
            ctx.writeAndFlush(out).addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
        }

        @Override
        public void channelInactive(ChannelHandlerContext ctx) {
            decoder.reset();
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            var _ = ctx.close();
        }
    }
}
