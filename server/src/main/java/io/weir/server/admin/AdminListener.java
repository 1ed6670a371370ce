package io.weir.server.admin;

import io.netty.channel.EventLoop;
import io.weir.base.ByteSize;
import io.weir.base.Clock;
import io.weir.base.ConfigBinder;
import io.weir.base.Live;
import io.weir.base.Log;
import io.weir.base.Stats;
import io.weir.kernel.Kernel;
import io.weir.kernel.KernelParts;
import io.weir.kernel.connection.Protocol;
import io.weir.kernel.listen.BindFailure;
import io.weir.kernel.listen.Listener;
import io.weir.kernel.listen.ListenerConfig;
import io.weir.kernel.settings.KernelConfig;
import io.weir.kernel.settings.KernelStats;
import io.weir.kernel.work.WorkManagerConfig;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The admin listener: HTTP on a kernel of its own, with one event loop and a few threads, so that it answers whatever
 * the rest of the server does. Shared; lives from the server's start to the end of its stop.
 */
public final class AdminListener implements AutoCloseable {
    /** The listener's name, as in the log line with its address. */
    public static final String NAME = "admin";

    /** The threads of clients that have not shown who they are. */
    private static final String OPEN = "open";

    /**
     * How clients authenticate.
     *
     * @param token whether a text is the admin token, compared in constant time
     * @param users the realm for Basic credentials, or {@link AdminUsers#NONE}
     */
    public record Credentials(Predicate<String> token, AdminUsers users) {}

    private final Kernel kernel;
    private final Listener listener;
    private final AdminDispatcher dispatcher;
    private final Log log;

    private AdminListener(Kernel kernel, Listener listener, AdminDispatcher dispatcher, Log log) {
        this.kernel = kernel;
        this.listener = listener;
        this.dispatcher = dispatcher;
        this.log = log;
    }

    /**
     * Opens the listener.
     *
     * @param router filled; not changed afterwards
     * @param stats the server's registry, for {@link AdminStats}; the kernel's own statistics are not added to it
     * @throws BindFailure if the address cannot be bound
     */
    public static AdminListener open(
            AdminConfig config, AdminRouter router, Credentials credentials, Clock clock, Stats stats, Log log)
            throws BindFailure {
        Stats own = new Stats();
        Kernel kernel = new Kernel(new KernelParts(
                        new Live<>(kernelConfig(config)),
                        Map.of(
                                Kernel.DEFAULT,
                                workConfig(config, config.threads()),
                                OPEN,
                                workConfig(config, AdminDispatcher.OPEN_THREADS)),
                        clock,
                        own,
                        log,
                        "weir.admin")
                .makingRoom());
        try {
            AdminDispatcher.Threads threads = new AdminDispatcher.Threads(
                    kernel.workManager(Kernel.DEFAULT), kernel.workManager(OPEN), config.queueCapacity());
            AdminAccess access = new AdminAccess(config, credentials.token(), credentials.users());
            AdminDispatcher dispatcher = new AdminDispatcher(router, access, credentials.users(), threads, stats, log);
            Protocol protocol = protocol(config, access, dispatcher, clock, stats);
            Listener listener = kernel.open(NAME, listenerConfig(config), protocol);
            stats.gauge(AdminStats.CONNECTIONS, listener::connections);
            stats.counter(
                    AdminStats.CONNECTIONS_REFUSED,
                    () -> own.value(KernelStats.OVERFLOWED) + own.value(KernelStats.REFUSED_ADDRESS));
            stats.counter(AdminStats.CONNECTIONS_GIVEN_UP, () -> own.value(KernelStats.EVICTED));
            if (!listener.address().getAddress().isLoopbackAddress()) {
                log.log(AdminMessages.BEYOND_LOOPBACK, listener.place());
            }
            return new AdminListener(kernel, listener, dispatcher, log);
        } catch (BindFailure | RuntimeException e) {
            kernel.close();
            throw e;
        }
    }

    /** The address it listens on, with the actual port. */
    public InetSocketAddress address() {
        return listener.address();
    }

    /** The URI at which it is reached from this machine. */
    public URI uri() {
        InetSocketAddress at = address();
        String host = at.getAddress().isAnyLocalAddress()
                ? "127.0.0.1"
                : at.getAddress().getHostAddress();
        return URI.create("http://" + (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + at.getPort());
    }

    /** Runs a task on the admin loop periodically until the listener is closed; it must not block. */
    public void every(Duration interval, Runnable task) {
        EventLoop loop = loop();
        Runnable guarded = () -> {
            try {
                task.run();
            } catch (RuntimeException e) {
                log.log(AdminMessages.VIEW_FAILED, e);
            }
        };
        var _ = loop.scheduleAtFixedRate(guarded, interval.toNanos(), interval.toNanos(), TimeUnit.NANOSECONDS);
    }

    /**
     * Has a view built, as for a client that has not shown who it is. Called from any thread.
     *
     * @param query as received, without its question mark; null: none
     * @param done receives it on the admin loop
     * @throws java.util.concurrent.RejectedExecutionException if the listener is closed
     */
    void view(String path, @Nullable String query, Consumer<AdminAnswer> done) {
        EventLoop loop = loop();
        loop.execute(() -> dispatcher.view(loop, path, query, done));
    }

    private EventLoop loop() {
        return kernel.muxers().get(0).eventLoop();
    }

    /** Closes it and all its connections at once. */
    @Override
    public void close() {
        kernel.close();
    }

    private static Protocol protocol(
            AdminConfig config, AdminAccess access, AdminDispatcher dispatcher, Clock clock, Stats stats) {
        AdminConnection.Shared shared = new AdminConnection.Shared(
                config,
                access,
                dispatcher,
                new AnswerWriter(clock),
                new Reserve(config.maxConnections()),
                stats,
                stats.counter(AdminStats.TIMED_OUT));
        return (connection, pipeline) -> pipeline.addLast("admin", new AdminConnection(shared, connection));
    }

    private static KernelConfig kernelConfig(AdminConfig admin) {
        KernelConfig d = ConfigBinder.defaults(KernelConfig.class);
        KernelConfig.TimeOuts t = d.timeOuts();
        int max = admin.maxConnections();
        return new KernelConfig(
                d.muxer(),
                1,
                d.percentSocketReaders(),
                max,
                // limit by address: half of the connections, for this machine all of them
                -1,
                admin.keepAliveTimeOut(),
                max,
                d.connectionQueue(),
                new KernelConfig.KeepAliveConfig(max, admin.keepAliveTimeOut()),
                d.mode(),
                Duration.ZERO,
                d.stuckThreads(),
                d.overloadProtection(),
                new KernelConfig.TimeOuts(
                        admin.requestTimeOut(),
                        admin.requestTimeOut(),
                        t.bodyRate(),
                        // the connection's own limit comes first and is counted
                        admin.requestTimeOut().multipliedBy(2),
                        t.writeRate(),
                        t.tlsHandshake()),
                1,
                d.readAhead(),
                d.buffers());
    }

    private static WorkManagerConfig workConfig(AdminConfig admin, int threads) {
        return new WorkManagerConfig(0, threads, admin.queueCapacity(), new ByteSize(0), Duration.ofSeconds(10));
    }

    private static ListenerConfig listenerConfig(AdminConfig admin) {
        ListenerConfig d = ConfigBinder.defaults(ListenerConfig.class);
        return new ListenerConfig(
                admin.address(),
                admin.port(),
                d.protocol(),
                d.backlog(),
                1,
                d.sendBuffer(),
                d.receiveBuffer(),
                d.virtualServer(),
                d.proxyProtocol(),
                d.http2(),
                d.tls(),
                d.limits());
    }
}
