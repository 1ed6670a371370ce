package io.weir.wire.client;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.ScheduledFuture;
import io.weir.base.Log;
import io.weir.base.Stats;
import io.weir.wire.FrameHandler;
import io.weir.wire.LostConnection;
import io.weir.wire.WireConnection;
import io.weir.wire.WireFault;
import io.weir.wire.channel.OutboundMarks;
import io.weir.wire.channel.WireChannel;
import io.weir.wire.channel.WireCounters;
import io.weir.wire.login.Credentials;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The client's end of the protocol. All clients of a process share one group of daemon threads, which terminates when
 * the last client is closed. Shared by any threads.
 */
public final class WireClient implements AutoCloseable {
    private final EventLoopGroup loops;
    private final WireCounters stats;
    private final Log log;
    private final AtomicBoolean closed = new AtomicBoolean();

    private WireClient(EventLoopGroup loops, Stats stats, Log log) {
        this.loops = loops;
        this.stats = new WireCounters(stats);
        this.log = log;
    }

    /** A client on the shared threads; close it to release them. */
    public static WireClient open() {
        return open(new Stats(), Log.NONE);
    }

    /** A client with statistics and a log. */
    public static WireClient open(Stats stats, Log log) {
        return new WireClient(SharedLoops.acquire(), stats, log);
    }

    /**
     * Connects and logs in, trying the addresses in order.
     *
     * @param service creates the handler of the connection, on its loop, once it is logged in
     * @return completes on the connection's loop; exceptionally with a {@link WireFault} if a server refused, with an
     * {@link IOException} if none was reached. Cancelling it aborts the attempt
     */
    public CompletableFuture<WireConnection> connect(
            List<WireUrl.Address> addresses,
            Credentials credentials,
            ClientOptions options,
            Function<WireConnection, FrameHandler> service) {
        Attempt attempt = new Attempt(addresses, credentials, options, service);
        attempt.next(new IOException("no address to connect to"));
        return attempt.result;
    }

    /** The loops that timers of this client use. */
    EventLoopGroup loops() {
        return loops;
    }

    /** Releases the shared threads; connections should be closed before. */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            SharedLoops.release();
        }
    }

    /** One call of connect: iterates over the servers and over the addresses of each. Its steps run sequentially. */
    private final class Attempt {
        private final Deque<WireUrl.Address> servers;
        private final Deque<InetAddress> found = new ArrayDeque<>();
        private final Credentials credentials;
        private final ClientOptions options;
        private final Function<WireConnection, FrameHandler> service;
        private final CompletableFuture<WireConnection> result = new CompletableFuture<>();
        /** The failures with earlier addresses. */
        private final List<String> failures = new ArrayList<>();

        private WireUrl.@Nullable Address server;
        private @Nullable ClientTls tls;

        Attempt(
                List<WireUrl.Address> servers,
                Credentials credentials,
                ClientOptions options,
                Function<WireConnection, FrameHandler> service) {
            this.servers = new ArrayDeque<>(servers);
            this.credentials = credentials;
            this.options = options;
            this.service = service;
        }

        /** Tries the next address, after this failure. */
        void next(Throwable failure) {
            if (result.isDone()) {
                return;
            }
            InetAddress address = found.poll();
            WireUrl.Address current = server;
            if (address != null && current != null) {
                connect(new InetSocketAddress(address, current.port()), current);
                return;
            }
            WireUrl.Address following = servers.poll();
            if (following == null) {
                fail(failure);
                return;
            }
            server = following;
            // the platform's name resolution blocks
            Thread resolver = new Thread(() -> resolve(following), "weir-client-dns");
            resolver.setDaemon(true);
            resolver.start();
        }

        private void resolve(WireUrl.Address server) {
            IOException failure = new UnknownHostException("no address of " + server.host() + " is known");
            try {
                if (tls == null) {
                    tls = ClientTls.prepare(options);
                }
                found.addAll(List.of(InetAddress.getAllByName(server.host())));
            } catch (UnknownHostException e) {
                failure.initCause(e);
            } catch (IOException e) {
                result.completeExceptionally(e);
            }
            if (found.isEmpty()) {
                failures.add(String.valueOf(failure.getMessage()));
            }
            next(failure);
        }

        /** Completes with the last failure; its text then also includes the earlier failures. */
        private void fail(Throwable last) {
            if (failures.size() < 2) {
                result.completeExceptionally(last);
                return;
            }
            String all = String.join("; ", failures);
            result.completeExceptionally(last instanceof WireFault f ? f.withText(all) : new IOException(all, last));
        }

        private void connect(InetSocketAddress to, WireUrl.Address server) {
            CompletableFuture<WireConnection> handshake = new CompletableFuture<>();
            Bootstrap bootstrap = new Bootstrap()
                    .group(loops)
                    .channelFactory(NioSocketChannel::new)
                    .option(ChannelOption.TCP_NODELAY, true)
                    .option(ChannelOption.SO_KEEPALIVE, true)
                    .option(ChannelOption.ALLOCATOR, PooledByteBufAllocator.DEFAULT)
                    .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int)
                            Math.min(options.connectTimeOut().toMillis(), Integer.MAX_VALUE))
                    .handler(new ChannelInitializer<>() {
                        @Override
                        protected void initChannel(Channel channel) {
                            initialise(channel, server, handshake);
                        }
                    });
            ChannelFuture connecting = bootstrap.connect(to);
            var unusedConnecting = connecting.addListener(done -> {
                if (!done.isSuccess()) {
                    handshake.completeExceptionally(unreachable(server, to, done.cause()));
                }
            });
            var unusedResult = result.whenComplete((unusedConnection, unusedFailure) -> {
                if (!handshake.isDone()) {
                    var unusedClosing = connecting.channel().close();
                }
            });
            var unusedHandshake = handshake.whenComplete((connection, ended) -> {
                // a refused channel is also closed, and its handshake may be notified of that first
                Throwable failure = ended instanceof LostConnection && connecting.cause() != null
                        ? unreachable(server, to, connecting.cause())
                        : ended;
                if (failure instanceof WireFault || failure instanceof LostConnection) {
                    failures.add(told(server, failure));
                } else if (failure != null) {
                    failures.add(String.valueOf(failure.getMessage()));
                }
                tried(connection, failure instanceof LostConnection ? lost(server, failure) : failure);
            });
        }

        /** A server that accepted and closed: possibly another program that now uses the port. */
        private LostConnection lost(WireUrl.Address server, Throwable failure) {
            LostConnection named = new LostConnection(told(server, failure));
            named.initCause(failure);
            return named;
        }

        /** A listener with TLS closes what begins without, and cannot say why in words of this protocol. */
        private String told(WireUrl.Address server, Throwable failure) {
            boolean perhapsTls = !options.secure() && failure instanceof LostConnection;
            return server + ": " + failure.getMessage()
                    + (perhapsTls ? "; if its listener has TLS, use weirs:// instead of weir://" : "");
        }

        private static IOException unreachable(
                WireUrl.Address server, InetSocketAddress to, @Nullable Throwable cause) {
            String why = cause == null
                    ? ""
                    : ": " + String.valueOf(cause.getMessage()).replace(": " + to, "");
            return new IOException(
                    "cannot connect to " + server + " (" + to.getAddress().getHostAddress() + ")" + why, cause);
        }

        private void initialise(Channel channel, WireUrl.Address server, CompletableFuture<WireConnection> handshake) {
            ClientTls encryption = tls;
            if (encryption != null) {
                encryption.install(channel, server);
            }
            OutboundMarks marks =
                    new OutboundMarks(options.outboundLow(), options.outboundHigh(), options.outboundLimit());
            channel.pipeline()
                    .addLast(
                            "wire",
                            new WireChannel(
                                    new WireChannel.Parts(marks, stats, log, options.secure()),
                                    new ClientHandshake(credentials, options, service, handshake)));
        }

        private void tried(@Nullable WireConnection connection, @Nullable Throwable failure) {
            if (connection != null) {
                if (!result.complete(connection)) {
                    connection.close();
                }
            } else if (failure instanceof WireFault f && !f.reason().retryable()) {
                fail(f);
            } else if (failure != null) {
                next(failure);
            }
        }
    }

    /** Runs an action later on one of the shared loops; the returned runnable cancels it. */
    Runnable later(Runnable action, long nanos) {
        ScheduledFuture<?> timer = loops.next().schedule(action, nanos, TimeUnit.NANOSECONDS);
        return () -> timer.cancel(false);
    }
}
