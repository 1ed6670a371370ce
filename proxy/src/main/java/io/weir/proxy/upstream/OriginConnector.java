package io.weir.proxy.upstream;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFactory;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.ConnectTimeoutException;
import io.netty.channel.EventLoop;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeTimeoutException;
import io.netty.resolver.dns.DnsNameResolverTimeoutException;
import io.netty.util.NetUtil;
import io.netty.util.concurrent.Future;
import io.weir.http.BodyDecoder;
import io.weir.http.DecoderLimits;
import io.weir.http.HeadScratch;
import io.weir.http.ResponseDecoder;
import io.weir.http.Side;
import io.weir.kernel.tls.TlsCause;
import io.weir.proxy.context.Buffers;
import io.weir.proxy.pool.OriginKey;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Opens connections to origins on one muxer: resolves, checks the resolved addresses against the destination rules,
 * tries one address after the other, and sets up TLS. Confined to its muxer.
 */
public final class OriginConnector {
    /** The result of connecting; called on the muxer, once. */
    interface Result {
        void connected(OriginConnection connection);

        /** The look-up of the name has begun, or its addresses are known. */
        default void resolving(boolean begins) {}

        void failed(OriginFault fault, String detail);
    }

    /** Which addresses may be connected to; called with resolved addresses only, and for guarded origins only. */
    public interface AddressRule {
        boolean allows(InetAddress address);

        /** The address was resolved but is not allowed: counts the refusal. */
        default void refused(InetAddress address) {}
    }

    /** Resolves names to addresses without blocking. */
    interface Names {
        Future<List<InetAddress>> resolve(String host);
    }

    /** The purpose of a connection. */
    enum Wish {
        ANY,
        /** To change the protocol: extended CONNECT on a stream if the origin supports it, else HTTP/1. */
        SWITCH,
        HTTP_1
    }

    /**
     * A requested connection.
     *
     * @param nanos time-out for one address; 0: as configured
     */
    record Order(OriginKey key, OriginPool pool, AddressRule guard, long nanos, Wish wish) {
        /** The same without HTTP/2. */
        Order overHttp1() {
            return new Order(key, pool, guard, nanos, Wish.HTTP_1);
        }

        boolean mayBeHttp2() {
            return wish != Wish.HTTP_1 && key.kind() == OriginKey.Kind.ORIGIN;
        }
    }

    /** The components of the connector. */
    record Parts(
            EventLoop loop,
            Function<InetAddress, ChannelFactory<? extends SocketChannel>> channels,
            ByteBufAllocator allocator,
            Names names,
            Tls tls,
            Tls members,
            Supplier<DecoderLimits> limits,
            HeadScratch scratch,
            Supplier<Settings> settings,
            OriginSessions sessions) {}

    /** TLS settings for connections to origins. */
    interface Tls {
        /** Creates a handler; it does not offer HTTP/2 if {@code mayBeHttp2} is false. */
        SslHandler handler(Channel channel, String host, int port, Duration timeOut, boolean mayBeHttp2);

        /** Whether a connection was made with the current trust and certificate. */
        boolean upToDate(Channel channel);

        /** An origin refused our certificate after our side of the handshake. */
        void refused(TlsCause cause);
    }

    /** Time-outs in milliseconds, sizes in bytes; {@code bind} is the local address, null for any. */
    record Settings(
            int connectMillis,
            int tlsMillis,
            WriteBufferWaterMark waterMark,
            @Nullable InetAddress bind) {}

    private final Parts parts;

    OriginConnector(Parts parts) {
        this.parts = parts;
    }

    /** Opens a connection, or a stream of an existing one. */
    void connect(Order order, Result result) {
        if (!order.mayBeHttp2()) {
            open(order, result);
            return;
        }
        OriginSessions.Turn turn = parts.sessions()
                .take(order, parts.settings().get().waterMark(), stream(order, result), () -> connect(order, result));
        switch (turn) {
            case TAKEN -> {}
            case MAKE -> open(order, new NotifyingResult(order.key(), parts.sessions(), result));
            case HTTP_1 -> open(order.overHttp1(), result);
        }
    }

    private void open(Order order, Result result) {
        addresses(order.key(), order.guard(), new Addresses() {
            @Override
            public void lookingUp() {
                result.resolving(true);
            }

            @Override
            public void found(List<InetAddress> addresses) {
                result.resolving(false);
                Settings set = parts.settings().get();
                long nanos = order.nanos();
                int millis = nanos == 0 ? set.connectMillis() : (int) Math.max(1, nanos / 1_000_000);
                tryNext(new Attempt(order, addresses, millis, set, result), 0);
            }

            @Override
            public void none(OriginFault fault, String detail) {
                result.failed(fault, detail);
            }
        });
    }

    /** Notifies the callers that wait for an HTTP/2 connection that this one failed or is HTTP/1. */
    private record NotifyingResult(OriginKey key, OriginSessions sessions, Result delegate) implements Result {
        @Override
        public void resolving(boolean begins) {
            delegate.resolving(begins);
        }

        @Override
        public void connected(OriginConnection connection) {
            delegate.connected(connection);
            if (!connection.onStream()) {
                sessions.notMade(key);
            }
        }

        @Override
        public void failed(OriginFault fault, String detail) {
            delegate.failed(fault, detail);
            sessions.notMade(key);
        }
    }

    /** Wraps a stream of an HTTP/2 connection as a connection for one request. */
    private OriginSessions.Taker stream(Order order, Result result) {
        return (channel, fresh) -> {
            if (channel == null) {
                result.failed(OriginFault.REFUSED, "cannot open a stream to " + order.key());
                return;
            }
            OriginConnection connection = connection(order, channel);
            connection.onStream(fresh);
            channel.pipeline().addLast(connection);
            result.connected(connection);
        };
    }

    /** Whether a connection may carry further requests: it was made with the current trust and certificate. */
    boolean upToDate(OriginConnection connection) {
        return !connection.key().tls() || tls(connection.key()).upToDate(connection.channel());
    }

    private Tls tls(OriginKey key) {
        return key.member() ? parts.members() : parts.tls();
    }

    private OriginConnection connection(Order order, Channel channel) {
        return new OriginConnection(
                order.key(),
                order.pool(),
                channel,
                new ResponseDecoder(parts.limits(), parts.scratch()),
                new BodyDecoder(Side.RESPONSE, parts.limits()));
    }

    /** A connection attempt. */
    private record Attempt(
            Order order, List<InetAddress> addresses, int connectMillis, Settings settings, Result result) {}

    private interface Addresses {
        void lookingUp();

        void found(List<InetAddress> addresses);

        void none(OriginFault fault, String detail);
    }

    private void addresses(OriginKey key, AddressRule guard, Addresses then) {
        InetAddress meant = key.address();
        if (meant != null) {
            check(key, guard, List.of(meant), then);
            return;
        }
        byte[] literal = NetUtil.createByteArrayFromIpAddressString(key.host());
        if (literal != null) {
            try {
                check(key, guard, List.of(InetAddress.getByAddress(literal)), then);
            } catch (UnknownHostException e) {
                then.none(OriginFault.UNRESOLVED, "no address: " + key.host());
            }
            return;
        }
        Future<List<InetAddress>> answer = parts.names().resolve(key.host());
        if (answer.isDone()) {
            resolved(key, guard, answer, then);
        } else {
            then.lookingUp();
            answer.addListener(_ -> resolved(key, guard, answer, then));
        }
    }

    private void resolved(OriginKey key, AddressRule guard, Future<List<InetAddress>> answer, Addresses then) {
        List<InetAddress> addresses = answer.isSuccess() ? answer.getNow() : List.of();
        if (late(answer.cause())) {
            then.none(OriginFault.DNS_TIMEOUT, "the name " + key.host() + " was not resolved in time");
        } else if (addresses.isEmpty()) {
            then.none(OriginFault.UNRESOLVED, "the name " + key.host() + " has no address");
        } else {
            check(key, guard, addresses, then);
        }
    }

    /** Whether resolution timed out: the resolver attaches the unanswered query as a cause to its failure. */
    private static boolean late(@Nullable Throwable failure) {
        Throwable cause = failure;
        while (cause != null && !(cause instanceof DnsNameResolverTimeoutException)) {
            cause = cause.getCause();
        }
        return cause != null;
    }

    private void check(OriginKey key, AddressRule guard, List<InetAddress> addresses, Addresses then) {
        if (!key.guarded()) {
            then.found(addresses);
            return;
        }
        List<InetAddress> allowed = new ArrayList<>(addresses.size());
        for (InetAddress address : addresses) {
            if (guard.allows(address)) {
                allowed.add(address);
            } else {
                guard.refused(address);
            }
        }
        if (allowed.isEmpty()) {
            then.none(OriginFault.FORBIDDEN, "no allowed address for " + key.host());
        } else {
            then.found(allowed);
        }
    }

    private void tryNext(Attempt attempt, int i) {
        Settings settings = attempt.settings();
        List<InetAddress> addresses = attempt.addresses();
        InetAddress address = addresses.get(i);
        Bootstrap bootstrap = new Bootstrap()
                .group(parts.loop())
                .channelFactory(parts.channels().apply(address))
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, attempt.connectMillis())
                .option(ChannelOption.ALLOW_HALF_CLOSURE, false)
                .option(ChannelOption.ALLOCATOR, parts.allocator())
                .option(ChannelOption.WRITE_BUFFER_WATER_MARK, settings.waterMark())
                .handler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        // the pipeline is built after connecting, when it is known that it is needed
                    }
                });
        InetSocketAddress to =
                new InetSocketAddress(address, attempt.order().key().port());
        InetAddress from = settings.bind();
        ChannelFuture connecting =
                from == null ? bootstrap.connect(to) : bootstrap.connect(to, new InetSocketAddress(from, 0));
        connecting.addListener(_ -> {
            if (connecting.isSuccess()) {
                secure(attempt.order(), connecting.channel(), settings, attempt.result());
            } else if (i + 1 < addresses.size()) {
                tryNext(attempt, i + 1);
            } else {
                refused(attempt.order().key(), connecting.cause(), attempt.result());
            }
        });
    }

    /** Keeps handshake failures, which the future reports, out of the log. */
    private static final class Handshaking extends ChannelInboundHandlerAdapter {
        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            var _ = ctx.close();
        }
    }

    private static void refused(OriginKey key, Throwable cause, Result result) {
        OriginFault fault =
                cause instanceof ConnectTimeoutException ? OriginFault.CONNECT_TIMEOUT : OriginFault.REFUSED;
        result.failed(fault, "cannot connect to " + key + ": " + Buffers.reason(cause));
    }

    private void secure(Order order, Channel channel, Settings settings, Result result) {
        OriginKey key = order.key();
        if (!key.tls()) {
            speak(order, channel, settings, result, key.http2() && order.mayBeHttp2());
            return;
        }
        SslHandler tls;
        try {
            Duration timeOut = Duration.ofMillis(settings.tlsMillis());
            tls = tls(key).handler(channel, key.tlsName(), key.port(), timeOut, order.mayBeHttp2());
        } catch (IllegalArgumentException e) {
            var _ = channel.close();
            result.failed(OriginFault.TLS_FAILED, Buffers.reason(e));
            return;
        }
        Handshaking during = new Handshaking();
        channel.pipeline().addLast(tls, during);
        tls.handshakeFuture().addListener(done -> {
            if (done.isSuccess()) {
                if (tls.engine().getSession().getProtocol().equals("TLSv1.3")) {
                    channel.pipeline().addLast(new LateRefusal(tls(key)));
                }
                channel.pipeline().remove(during);
                speak(order, channel, settings, result, "h2".equals(tls.applicationProtocol()));
            } else {
                var _ = channel.close();
                Throwable cause = done.cause();
                boolean late = cause instanceof SslHandshakeTimeoutException;
                String what = late || !(cause instanceof SSLException) ? "TLS handshake did not finish" : "TLS failed";
                OriginFault fault = late ? OriginFault.CONNECT_TIMEOUT : OriginFault.TLS_FAILED;
                result.failed(fault, what + " with " + key + ": " + Buffers.reason(cause));
            }
        });
    }

    private void speak(Order order, Channel channel, Settings settings, Result result, boolean http2) {
        if (http2) {
            Result delegate = result instanceof NotifyingResult t ? t.delegate() : result;
            parts.sessions()
                    .made(
                            order,
                            channel,
                            settings.waterMark(),
                            stream(order, delegate),
                            () -> connect(order, delegate));
            return;
        }
        OriginConnection connection = connection(order, channel);
        channel.pipeline().addLast(connection);
        result.connected(connection);
    }
}
