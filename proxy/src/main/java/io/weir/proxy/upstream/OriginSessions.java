package io.weir.proxy.upstream;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.handler.codec.http2.DefaultHttp2WindowUpdateFrame;
import io.netty.handler.codec.http2.Http2FrameStreamException;
import io.netty.handler.codec.http2.Http2GoAwayFrame;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2SettingsFrame;
import io.netty.handler.codec.http2.Http2StreamChannel;
import io.netty.handler.codec.http2.Http2StreamChannelBootstrap;
import io.weir.http.DecoderLimits;
import io.weir.http.HeadScratch;
import io.weir.kernel.mux.Deadline;
import io.weir.kernel.mux.Deadlines;
import io.weir.proxy.http2.Http2Counters;
import io.weir.proxy.http2.OriginCodec;
import io.weir.proxy.http2.OriginStream;
import io.weir.proxy.pool.OriginKey;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The HTTP/2 connections to origins of one muxer. A request gets a stream of a connection that has room; a connection
 * is made only if there is none, and further requests wait for it. Confined to the muxer.
 */
final class OriginSessions {
    /** Stream limit until the origin's SETTINGS arrive. */
    private static final int FIRST_STREAMS = 100;

    /** Increment of a connection's window: the bound is that of its streams. */
    private static final int ALL_STREAMS = 16 << 20;

    /**
     * The components of sessions.
     *
     * @param idleNanos how long a connection without streams is kept
     * @param settingsNanos time-out for the origin's SETTINGS, which come first (RFC 9113 section 3.4)
     */
    record Parts(
            Deadlines deadlines,
            LongSupplier idleNanos,
            LongSupplier settingsNanos,
            HeadScratch scratch,
            Supplier<DecoderLimits> limits,
            IntSupplier window,
            OriginConnector.Tls tls,
            Http2Counters counters) {}

    /** Receives a stream's channel with its first handler installed, or null if it could not be opened. */
    interface Taker {
        void stream(@Nullable Channel channel, boolean fresh);
    }

    /** Outcome of a request for a stream. */
    enum Turn {
        /** The caller got a stream, or waits and will be called. */
        TAKEN,
        /** The caller must connect, and report the outcome to {@link #made} or {@link #notMade}. */
        MAKE,
        /** The origin does not support this over HTTP/2. */
        HTTP_1
    }

    /** Retries once the connection that it waits for has no room, is not HTTP/2, or failed. */
    private record Waiting(Runnable again) {}

    /** Waits for the origin's SETTINGS. */
    private record AwaitingSettings(Runnable again, Taker taker) {}

    private static final class Group {
        final List<Session> sessions = new ArrayList<>();
        final Queue<Waiting> waiting = new ArrayDeque<>();
        boolean connecting;
    }

    private final Parts parts;
    private final Map<OriginKey, Group> groups = new HashMap<>();

    OriginSessions(Parts parts) {
        this.parts = parts;
    }

    /**
     * Takes a stream if a connection has room, or waits if one is being made.
     *
     * @param again retries
     */
    Turn take(OriginConnector.Order order, WriteBufferWaterMark marks, Taker taker, Runnable again) {
        OriginKey key = order.key();
        boolean switches = order.wish() == OriginConnector.Wish.SWITCH;
        Group group = groups.get(key);
        if (group == null) {
            if (key.http2()) {
                group = new Group();
                group.connecting = true;
                groups.put(key, group);
            }
            return Turn.MAKE;
        }
        boolean never = false;
        for (Session s : group.sessions) {
            if (key.guarded() && !order.guard().allows(s.address())) {
                continue;
            }
            if (switches && !s.settingsKnown) {
                s.awaitingSettings.add(new AwaitingSettings(again, taker));
                return Turn.TAKEN;
            }
            never = never || (switches && !s.extended);
            if (s.room() && (!switches || s.extended)) {
                s.open(marks, taker, false);
                return Turn.TAKEN;
            }
        }
        if (never) {
            return Turn.HTTP_1;
        }
        if (group.connecting) {
            group.waiting.add(new Waiting(again));
            return Turn.TAKEN;
        }
        group.connecting = true;
        return Turn.MAKE;
    }

    /**
     * A connection speaks HTTP/2: its maker gets the first stream, or, to change the protocol, retries when the
     * origin's SETTINGS show whether it can.
     */
    void made(OriginConnector.Order order, Channel channel, WriteBufferWaterMark marks, Taker taker, Runnable again) {
        OriginKey key = order.key();
        Group group = groups.computeIfAbsent(key, _ -> new Group());
        Session session = new Session(key, group, channel);
        group.sessions.add(session);
        parts.counters().originConnection();
        channel.pipeline()
                .addLast(
                        OriginCodec.of(
                                parts.window().getAsInt(),
                                2L * parts.limits().get().maxHeaderBytes()),
                        session,
                        new Http2MultiplexHandler(new NoPush()));
        var _ = channel.write(new DefaultHttp2WindowUpdateFrame(ALL_STREAMS));
        if (order.wish() == OriginConnector.Wish.SWITCH) {
            session.awaitingSettings.add(new AwaitingSettings(again, taker));
            channel.flush();
        } else {
            session.open(marks, taker, true);
        }
        retryWaiting(group);
    }

    /** The connection failed, or speaks HTTP/1. */
    void notMade(OriginKey key) {
        Group group = groups.get(key);
        if (group != null) {
            retryWaiting(group);
            tidy(key, group);
        }
    }

    private static void retryWaiting(Group group) {
        group.connecting = false;
        List<Waiting> all = new ArrayList<>(group.waiting);
        group.waiting.clear();
        all.forEach(w -> w.again().run());
    }

    private void tidy(OriginKey key, Group group) {
        if (group.sessions.isEmpty() && group.waiting.isEmpty() && !group.connecting) {
            groups.remove(key, group);
        }
    }

    /** The origin gets no more requests: its connections close when their streams are done. */
    void originRemoved(OriginKey key) {
        Group group = groups.get(key);
        if (group != null) {
            List.copyOf(group.sessions).forEach(Session::leave);
        }
    }

    /** Closes all connections, when the proxy stops. */
    void close() {
        for (Group g : List.copyOf(groups.values())) {
            for (Session s : List.copyOf(g.sessions)) {
                var _ = s.channel.close();
            }
        }
    }

    private static final class NoPush extends ChannelInboundHandlerAdapter {
        @Override
        public boolean isSharable() {
            return true;
        }

        @Override
        public void handlerAdded(ChannelHandlerContext ctx) {
            // we disabled push in our SETTINGS
            var _ = ctx.close();
        }
    }

    /** One connection; the handler between its codec and its streams. */
    private final class Session extends ChannelInboundHandlerAdapter {
        private final OriginKey key;
        private final Group group;
        private final Channel channel;
        private final Deadline idle;
        private final Deadline silent;
        private long most = FIRST_STREAMS;
        private final List<AwaitingSettings> awaitingSettings = new ArrayList<>(0);
        private int streams;
        private boolean leaving;
        private boolean settingsKnown;
        private boolean extended;

        Session(OriginKey key, Group group, Channel channel) {
            this.key = key;
            this.group = group;
            this.channel = channel;
            this.idle = Deadline.of(this::leave);
            this.silent = Deadline.of(this::timedOut);
            parts.deadlines().arm(silent, parts.settingsNanos().getAsLong());
        }

        private void timedOut() {
            var _ = channel.close();
        }

        boolean room() {
            return !leaving
                    && streams < most
                    && channel.isActive()
                    && (!key.tls() || parts.tls().upToDate(channel));
        }

        InetAddress address() {
            return ((InetSocketAddress) channel.remoteAddress()).getAddress();
        }

        void open(WriteBufferWaterMark marks, Taker taker, boolean fresh) {
            streams++;
            parts.deadlines().disarm(idle);
            new Http2StreamChannelBootstrap(channel)
                    .option(ChannelOption.WRITE_BUFFER_WATER_MARK, marks)
                    .handler(new ChannelInitializer<Http2StreamChannel>() {
                        @Override
                        protected void initChannel(Http2StreamChannel ch) {
                            ch.pipeline()
                                    .addLast(new OriginStream(key.tls(), extended, parts.scratch(), parts.counters()));
                        }
                    })
                    .open()
                    .addListener(done -> {
                        if (done.isSuccess() && done.getNow() instanceof Http2StreamChannel stream) {
                            parts.counters().originStream();
                            stream.closeFuture().addListener(_ -> closed());
                            taker.stream(stream, fresh);
                        } else {
                            closed();
                            taker.stream(null, fresh);
                        }
                    });
        }

        private void closed() {
            streams--;
            rest();
        }

        private void rest() {
            if (streams > 0 || !channel.isActive()) {
                return;
            }
            if (leaving) {
                var _ = channel.close();
            } else {
                parts.deadlines().arm(idle, parts.idleNanos().getAsLong());
            }
        }

        /** Accepts no more streams; closes when the last one is done. */
        void leave() {
            leaving = true;
            group.sessions.remove(this);
            tidy(key, group);
            if (streams == 0) {
                var _ = channel.close();
            }
        }

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object msg) {
            if (msg instanceof Http2SettingsFrame frame) {
                Long limit = frame.settings().maxConcurrentStreams();
                most = limit == null ? most : limit;
                extended = extended || Boolean.TRUE.equals(frame.settings().connectProtocolEnabled());
                settingsReceived();
            } else if (msg instanceof Http2GoAwayFrame goAway) {
                parts.counters().originGoaway(goAway.errorCode());
                // before its streams are notified, which then retry elsewhere
                leave();
            }
            ctx.fireChannelRead(msg);
        }

        private void settingsReceived() {
            settingsKnown = true;
            parts.deadlines().disarm(silent);
            List<AwaitingSettings> all = List.copyOf(awaitingSettings);
            awaitingSettings.clear();
            if (!all.isEmpty()) {
                all.forEach(u -> u.again().run());
                rest();
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext ctx) {
            leave();
            // a retry would fail in the same way again and again
            List<AwaitingSettings> waiters = List.copyOf(awaitingSettings);
            awaitingSettings.clear();
            waiters.forEach(u -> u.taker().stream(null, false));
            parts.deadlines().disarm(idle);
            parts.deadlines().disarm(silent);
            ctx.fireChannelInactive();
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            if (cause instanceof Http2FrameStreamException) {
                ctx.fireExceptionCaught(cause);
            } else {
                var _ = ctx.close();
            }
        }
    }
}
