package io.weir.kernel;

import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.handler.ssl.SslProvider;
import io.weir.base.Clock;
import io.weir.base.ConfigBinder;
import io.weir.base.Counter;
import io.weir.base.Log;
import io.weir.base.Stats;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The I/O kernel: listeners, muxers, connection queue, keep-alive subsystem and work managers. Several kernels may live
 * in one process, each with its own threads. Shared; lives as long as the server.
 */
public final class Kernel implements AutoCloseable {
    /** The work manager that the connection queue uses. */
    public static final String DEFAULT = "default";

    private final KernelParts parts;
    private final Limits limits;
    private final MuxerChoice choice;
    private final Muxers muxers;
    private final KeepAlive keepAlive;
    private final ConnectionQueue queue;
    private final Pressure pressure;
    private final Sessions sessions;
    private final Intake intake;
    private final LastResort lastResort;
    private final Counter acceptTimeOuts;
    private final Counter writeTimeOuts;
    private final Counter writeRateTimeOuts;
    private final Counter writePauses;
    private final Counter drainResets;
    private final TlsWatch tlsWatch = new TlsWatch(this);
    private final WorkManagers work;
    private final Listeners listeners = new Listeners(this);
    private final AtomicReference<@Nullable Drain> drain = new AtomicReference<>();

    /** Starts muxers and work managers; listeners are opened afterwards. */
    public Kernel(KernelParts parts) {
        this(parts, Machine.current());
    }

    Kernel(KernelParts parts, Machine machine) {
        this.parts = parts;
        Stats stats = parts.stats();
        Map<String, WorkManagerConfig> configured = new TreeMap<>(parts.workManagers());
        WorkManagerConfig standard =
                configured.computeIfAbsent(DEFAULT, _ -> ConfigBinder.defaults(WorkManagerConfig.class));
        this.limits = new Limits(parts.config(), machine, standard);
        limits.log(parts.log());
        MuxerStart.Started started = MuxerStart.start(
                parts, limits, MuxerChoice.choose(limits.config().muxer(), Transport::unavailable));
        this.choice = started.choice();
        this.muxers = started.muxers();
        this.keepAlive = new KeepAlive(limits, stats);
        this.work = new WorkManagers(configured, parts, limits, machine);
        this.sessions = new Sessions(parts.clock(), work::stuck);
        this.intake = new Intake(muxers, limits, keepAlive, sessions, parts, allocator());
        this.pressure = new Pressure(intake, this::idle, limits, parts);
        this.lastResort = new LastResort(stats, parts.log());
        this.queue =
                new ConnectionQueue(limits, parts.clock(), stats, parts.log(), workManager(DEFAULT), work.ordered());
        work.whenChanged(() -> queue.configure(workManager(DEFAULT), work.ordered()));
        this.acceptTimeOuts = stats.counter(KernelStats.ACCEPT_TIMEOUTS);
        this.writeTimeOuts = stats.counter(KernelStats.WRITE_TIMEOUTS);
        this.writeRateTimeOuts = stats.counter(KernelStats.WRITE_RATE_TIMEOUTS);
        this.writePauses = stats.counter(KernelStats.WRITE_PAUSES);
        this.drainResets = stats.counter(KernelStats.DRAIN_RESET);
        var _ = muxers.get(0).eventLoop().scheduleAtFixedRate(this::second, 1, 1, TimeUnit.SECONDS);
    }

    /**
     * Opens a listener.
     *
     * @throws BindFailure when the address cannot be listened on, or its certificates cannot be used
     */
    public Listener open(String name, ListenerConfig config, Protocol protocol) throws BindFailure {
        return open(name, config, protocol, SharedPort.NONE);
    }

    /**
     * Opens a listener on a socket that another process opened.
     *
     * @param descriptor of a listening socket, which is the listener's to close from now on; only with epoll
     * @throws BindFailure when the socket cannot be used, or its certificates cannot
     */
    public Listener open(String name, ListenerConfig config, Protocol protocol, int descriptor) throws BindFailure {
        return listeners.open(name, config, protocol, descriptor);
    }

    /**
     * Gets a change of the listeners ready: binds what is new or listens elsewhere, and loads certificates; what differs in
     * something else takes over the socket, so that no client is turned away. Limits alone make no new listener.
     *
     * @param next all that are to be open, by name
     * @param protocols what is spoken on a new one
     * @throws BindFailure when one cannot be opened; nothing is changed then
     */
    public ListenerChange prepare(Map<String, ListenerConfig> next, Function<ListenerConfig, Protocol> protocols)
            throws BindFailure {
        return listeners.prepare(next, protocols);
    }

    /**
     * TLS of connections that are made, to origins; its files are looked after until it is closed.
     *
     * @param section the section of the configuration that says how, for messages
     * @throws TlsFault when its files or settings cannot be used
     */
    public OriginTls connecting(String section, OriginTlsConfig config) throws TlsFault {
        OriginTls tls = new OriginTls(section, config, this);
        tlsWatch.watch(tls);
        return tls;
    }

    /** Who has certificates, in the order of opening. */
    public List<CertificateOwner> certificateOwners() {
        return tlsWatch.watched();
    }

    void unwatch(CertificateOwner tls) {
        tlsWatch.forget(tls);
    }

    /** What happens once a second; on the first muxer. */
    void second() {
        try {
            pressure.second();
            queue.second();
            work.second();
        } catch (RuntimeException e) {
            // The next second comes all the same.
            log().log(KernelMessages.PROTOCOL_ERROR, "connection queue", e);
        }
    }

    public Muxers muxers() {
        return muxers;
    }

    /** Which muxer is used, and why. */
    public MuxerChoice choice() {
        return choice;
    }

    public ConnectionQueue connectionQueue() {
        return queue;
    }

    /** What slow clients hold, and what that means to them. */
    public Pressure pressure() {
        return pressure;
    }

    /** Descriptors that this process may have open. */
    public long descriptors() {
        return limits.descriptors();
    }

    public KeepAlive keepAlive() {
        return keepAlive;
    }

    /** Connections that wait for their client's next request: those whose answer still streams do not. */
    public int idle() {
        return muxers.all().stream().mapToInt(m -> m.idle().size()).sum();
    }

    public Sessions sessions() {
        return sessions;
    }

    /** Open listeners in the order of opening, or of the configuration that changed them. */
    public List<Listener> listeners() {
        return listeners.open();
    }

    /**
     * A work manager by name.
     *
     * @throws IllegalArgumentException when none has this name
     */
    public WorkManager workManager(String name) {
        WorkManager found = workManagers().get(name);
        if (found == null) {
            throw new IllegalArgumentException(
                    "no work manager \"" + name + "\"; known: " + workManagers().keySet());
        }
        return found;
    }

    /** The request class of this name; the class of the work manager where it is not known. */
    public RequestClass requestClass(String name) {
        RequestClass found = work.requestClass(name);
        return found == null ? RequestClass.DEFAULT : found;
    }

    /** Names of the request classes. */
    public Set<String> requestClasses() {
        return work.classNames();
    }

    /** All work managers by name. */
    public Map<String, WorkManager> workManagers() {
        return work.all();
    }

    /** Whether the server has failed: as many threads are stuck as its trigger says. */
    public boolean failed() {
        return work.overload().failed();
    }

    /** Completes when the process is to end because the server has failed. */
    public CompletableFuture<@Nullable Void> failure() {
        return work.overload().shutdown();
    }

    /** The configuration as it is now. */
    public KernelConfig config() {
        return limits.config();
    }

    /** Connections accepted so far, by listeners that are gone too. */
    public long accepted() {
        return listeners.accepted();
    }

    /** Connections open now. */
    public int connections() {
        return intake.open();
    }

    /** Connections that may be open now. */
    public int maxConnections() {
        return limits.maxConnections();
    }

    /** Connections that one address may hold now, where that is not this machine. */
    public int maxConnectionsPerAddress() {
        return limits.maxPerAddress();
    }

    /** Requests that may wait for a slot now. */
    public int queueCapacity() {
        return limits.queueCapacity();
    }

    /** Who encrypts where that is not configured: boringssl, or jdk. */
    public static String tlsProvider() {
        return TlsProviders.choose(TlsConfig.Provider.AUTO, "", Log.NONE) == SslProvider.JDK ? "jdk" : "boringssl";
    }

    /** Where all buffers of connections come from. */
    public ByteBufAllocator allocator() {
        return PooledByteBufAllocator.DEFAULT;
    }

    /**
     * Stops accepting, closes idle connections, lets busy ones finish, and resets what is left after the time-out. Asking
     * again gives the drain in progress.
     */
    public CompletableFuture<DrainReport> drain(Duration timeOut) {
        Drain mine = new Drain(this, connections());
        if (!drain.compareAndSet(null, mine)) {
            Drain running = drain.get();
            return running == null ? mine.report() : running.report();
        }
        intake.closing(mine::check);
        keepAlive.drain();
        listeners.close();
        mine.start(timeOut);
        return mine.report();
    }

    /**
     * Leaves the clients to another process: stops accepting, lets each connection's next answer say close, and drains
     * what is still open after the grace. So no request meets a connection that is closed while it is on its way, unless
     * its client was idle for the whole grace; where the protocol can tell the client at once, not even then.
     */
    public CompletableFuture<DrainReport> retire(Duration grace, Duration timeOut) {
        keepAlive.drain();
        // what was accepted is served: it is dropped only after the listeners are closed
        listeners.close();
        CompletableFuture<Void> empty = new CompletableFuture<>();
        intake.closing(() -> empty.complete(null));
        if (connections() == 0) {
            empty.complete(null);
        }
        for (Muxer m : muxers.all()) {
            m.eventLoop().execute(() -> leave(m));
        }
        return empty.completeOnTimeout(null, grace.toMillis(), TimeUnit.MILLISECONDS)
                .thenCompose(_ -> drain(timeOut));
    }

    private void leave(Muxer m) {
        for (Connection c : sessions.all()) {
            if (c.muxer() == m) {
                var _ = c.leave();
            }
        }
    }

    /** Closes everything at once and waits shortly for the threads to end. */
    @Override
    public void close() {
        tlsWatch.close();
        intake.closing(() -> {});
        listeners.close();
        for (Connection c : sessions.all()) {
            c.close();
        }
        work.close();
        muxers.group().shutdownGracefully(0, 2, TimeUnit.SECONDS).awaitUninterruptibly(5, TimeUnit.SECONDS);
        listeners.released();
    }

    public Clock clock() {
        return parts.clock();
    }

    String name() {
        return parts.name();
    }

    Stats stats() {
        return parts.stats();
    }

    Log log() {
        return parts.log();
    }

    @Nullable
    Path tickets() {
        return parts.tickets();
    }

    LastResort lastResort() {
        return lastResort;
    }

    Counter acceptTimeOuts() {
        return acceptTimeOuts;
    }

    Counter writePauses() {
        return writePauses;
    }

    Counter writeTimeOuts() {
        return writeTimeOuts;
    }

    Counter writeRateTimeOuts() {
        return writeRateTimeOuts;
    }

    Counter drainResets() {
        return drainResets;
    }

    TlsWatch tlsWatch() {
        return tlsWatch;
    }

    Intake intake() {
        return intake;
    }
}
