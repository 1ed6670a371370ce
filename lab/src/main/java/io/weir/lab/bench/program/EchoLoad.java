package io.weir.lab.bench.program;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import io.weir.base.Clock;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLException;

/**
 * A turn of echoes: opens its connections, sends a frame on each, and the next one when all of its bytes are back, until
 * the time is over; frames on the way come back first. Lives for one turn; its connections are confined to their loop.
 */
final class EchoLoad {
    private static final int GRACE_SECONDS = 20;
    private static final SslContext TRUSTING = trusting();
    private final EchoPlan plan;
    private final Clock clock;
    private final AtomicLong units = new AtomicLong();
    private final AtomicLong refused = new AtomicLong();
    private final AtomicLong disturbed = new AtomicLong();
    private final CountDownLatch ended;
    private final ByteBuf frame;
    private final int answerBytes;
    private final byte first;
    private final long begun;

    private EchoLoad(EchoPlan plan, Clock clock) {
        this.plan = plan;
        this.clock = clock;
        this.ended = new CountDownLatch(plan.connections());
        boolean frames = plan.manner() == EchoPlan.Manner.WEBSOCKET;
        byte[] head = frames ? WebSocketFrames.head(plan.bytes(), true) : new byte[0];
        byte[] answer = frames ? WebSocketFrames.head(plan.bytes(), false) : new byte[0];
        this.frame = Unpooled.directBuffer(head.length + plan.bytes())
                .writeBytes(head)
                .writeZero(plan.bytes());
        this.answerBytes = answer.length + plan.bytes();
        this.first = frames ? answer[0] : 0;
        this.begun = clock.nanos();
    }

    /**
     * The result of a turn.
     *
     * @param units frames that came back
     * @param disturbed connections that broke
     * @param refused connections that were answered otherwise
     */
    record Found(long units, double seconds, long disturbed, long refused) {
        String line() {
            return String.format(Locale.ROOT, "found %d %.6f %d %d", units, seconds, disturbed, refused);
        }
    }

    private static SslContext trusting() {
        try {
            return SslContextBuilder.forClient()
                    .sslProvider(Sockets.provider())
                    .trustManager(InsecureTrustManagerFactory.INSTANCE)
                    .endpointIdentificationAlgorithm(null)
                    .build();
        } catch (SSLException e) {
            throw new IllegalStateException("no TLS", e);
        }
    }

    static Found run(EchoPlan plan, Sockets sockets, Clock clock) throws InterruptedException {
        EchoLoad load = new EchoLoad(plan, clock);
        try {
            return load.run(sockets);
        } finally {
            load.frame.release();
        }
    }

    private Found run(Sockets sockets) throws InterruptedException {
        Bootstrap client = sockets.client(channel -> {
            if (plan.secure()) {
                channel.pipeline().addLast(TRUSTING.newHandler(channel.alloc()));
            }
            channel.pipeline().addLast(new Connection());
        });
        List<Channel> open = new ArrayList<>();
        for (int i = 0; i < plan.connections(); i++) {
            open.add(client.connect(InetAddress.getLoopbackAddress(), plan.port())
                    .addListener((ChannelFutureListener) f -> {
                        if (!f.isSuccess()) {
                            disturbed.incrementAndGet();
                            ended.countDown();
                        }
                    })
                    .channel());
        }
        if (!ended.await(plan.seconds() + GRACE_SECONDS, TimeUnit.SECONDS)) {
            disturbed.addAndGet(ended.getCount());
        }
        double seconds = (clock.nanos() - begun) / 1e9;
        for (Channel channel : open) {
            var _ = channel.close().sync();
        }
        return new Found(units.get(), seconds, disturbed.get(), refused.get());
    }

    /** A connection. Confined to its loop. */
    private final class Connection extends ChannelInboundHandlerAdapter {
        private final StringBuilder head = new StringBuilder();
        private boolean ready;
        private boolean done;
        private int missing;

        @Override
        public void channelActive(ChannelHandlerContext ctx) {
            String greeting = plan.greeting();
            if (greeting.isEmpty()) {
                ready = true;
                send(ctx);
            } else {
                var _ = ctx.writeAndFlush(Unpooled.copiedBuffer(greeting, StandardCharsets.US_ASCII));
            }
        }

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            ByteBuf in = (ByteBuf) message;
            try {
                if (!ready) {
                    greeted(ctx, in);
                }
                if (ready && !done) {
                    received(ctx, in);
                }
            } finally {
                in.release();
            }
        }

        private void greeted(ChannelHandlerContext ctx, ByteBuf in) {
            while (in.isReadable() && head.indexOf("\r\n\r\n") < 0) {
                head.append((char) in.readByte());
            }
            if (head.indexOf("\r\n\r\n") < 0) {
                return;
            }
            if (!head.substring(Math.min(head.length(), 9)).startsWith(plan.accepted())) {
                refused.incrementAndGet();
                end(ctx);
                return;
            }
            ready = true;
            send(ctx);
        }

        private void received(ChannelHandlerContext ctx, ByteBuf in) {
            if (in.isReadable() && missing == answerBytes && in.getByte(in.readerIndex()) != first) {
                refused.incrementAndGet();
                end(ctx);
                return;
            }
            missing -= in.readableBytes();
            if (missing > 0) {
                return;
            }
            units.incrementAndGet();
            if (missing < 0) {
                refused.incrementAndGet();
                end(ctx);
            } else if (clock.nanos() - begun > TimeUnit.SECONDS.toNanos(plan.seconds())) {
                end(ctx);
            } else {
                send(ctx);
            }
        }

        private void send(ChannelHandlerContext ctx) {
            missing = answerBytes;
            var _ = ctx.writeAndFlush(frame.retainedDuplicate(), ctx.voidPromise());
        }

        private void end(ChannelHandlerContext ctx) {
            if (!done) {
                done = true;
                ended.countDown();
                var _ = ctx.close();
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext ctx) {
            if (!done) {
                disturbed.incrementAndGet();
                end(ctx);
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            // counted by channelInactive
            var _ = ctx.close();
        }
    }
}
