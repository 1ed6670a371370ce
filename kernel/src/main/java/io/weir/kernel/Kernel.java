package io.weir.kernel;

import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.weir.base.Clock;
import io.weir.base.Stats;
import io.weir.kernel.connection.ClientSessions;
import io.weir.kernel.connection.Connection;
import io.weir.kernel.connection.Intake;
import io.weir.kernel.connection.KeepAlive;
import io.weir.kernel.connection.Pressure;
import io.weir.kernel.connection.Protocol;
import io.weir.kernel.listen.BindFailure;
import io.weir.kernel.listen.ListenParts;
import io.weir.kernel.listen.Listener;
import io.weir.kernel.listen.ListenerChange;
import io.weir.kernel.listen.ListenerConfig;
import io.weir.kernel.listen.Listeners;
import io.weir.kernel.listen.SharedPort;
import io.weir.kernel.mux.MuxerChoice;
import io.weir.kernel.mux.MuxerStart;
import io.weir.kernel.mux.Muxers;
import io.weir.kernel.queue.ConnectionQueue;
import io.weir.kernel.settings.KernelConfig;
import io.weir.kernel.settings.KernelContext;
import io.weir.kernel.settings.KernelLimits;
import io.weir.kernel.settings.KernelMessages;
import io.weir.kernel.settings.Machine;
import io.weir.kernel.tls.CertificateOwner;
import io.weir.kernel.tls.OriginTls;
import io.weir.kernel.tls.OriginTlsConfig;
import io.weir.kernel.tls.TlsFault;
import io.weir.kernel.tls.TlsParts;
import io.weir.kernel.tls.TlsWatch;
import io.weir.kernel.work.RequestClass;
import io.weir.kernel.work.WorkManager;
import io.weir.kernel.work.WorkManagers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The I/O kernel: listeners, muxers, connection queue, keep-alive subsystem and work managers. Several kernels may live
 * in one process, each with its own threads. Shared; lives as long as the server.
 */
public final class Kernel implements AutoCloseable {
    /** The name of the work manager that the connection queue uses. */
    public static final String DEFAULT = WorkManagers.DEFAULT;

    private final KernelContext context;
    private final KernelLimits limits;
    private final Muxers muxers;
    private final KeepAlive keepAlive;
    private final ConnectionQueue queue;
    private final ClientSessions sessions;
    private final Intake intake;
    private final Draining draining;
    private final TlsParts tls;
    private final WorkManagers work;
    private final Listeners listeners;

    /** Starts muxers and work managers; listeners are opened afterwards. */
    public Kernel(KernelParts parts) {
        this(parts, Machine.current());
    }

    Kernel(KernelParts parts, Machine machine) {
        this.context = parts.context();
        Stats stats = parts.stats();
        this.limits = parts.limits(machine);
        limits.log(parts.log());
        this.muxers = MuxerStart.start(context, limits);
        this.keepAlive = new KeepAlive(limits, stats);
        this.work = new WorkManagers(parts.workManagers(), parts.work(), context, limits, machine);
        this.sessions = new ClientSessions(parts.clock(), work::stuckRequests);
        this.intake = new Intake(context, limits, muxers, keepAlive, sessions, allocator(), parts.makesRoom());
        this.queue =
                new ConnectionQueue(limits, parts.clock(), stats, parts.log(), workManager(DEFAULT), work.ordered());
        work.whenChanged(() -> queue.configure(workManager(DEFAULT), work.ordered()));
        this.tls = new TlsParts(context, parts.tickets(), muxers::afterCurrentTasks, new TlsWatch(context));
        this.draining = new Draining(context, muxers, sessions, intake, this::stopAccepting);
        this.listeners = new Listeners(new ListenParts(context, muxers, tls, draining));
        var _ = muxers.get(0).eventLoop().scheduleAtFixedRate(this::second, 1, 1, TimeUnit.SECONDS);
    }

    /**
     * Opens a listener.
     *
     * @throws BindFailure if the address cannot be bound, or its certificates cannot be used
     */
    public Listener open(String name, ListenerConfig config, Protocol protocol) throws BindFailure {
        return open(name, config, protocol, SharedPort.NONE);
    }

    /**
     * Opens a listener on a socket that another process opened.
     *
     * @param descriptor of a listening socket, which the listener closes from now on; only with epoll
     * @throws BindFailure if the socket or its certificates cannot be used
     */
    public Listener open(String name, ListenerConfig config, Protocol protocol, int descriptor) throws BindFailure {
        return listeners.open(name, config, intake.speaking(protocol), descriptor);
    }

    /**
     * Prepares a change of the listeners: binds listeners that are new or have a new address, and loads certificates. A
     * listener that differs otherwise takes over the existing socket, so that no client is refused. A change of limits
     * alone keeps the listener.
     *
     * @param next all listeners to be open, by name
     * @param protocols supplies the protocol of a new listener
     * @throws BindFailure if a listener cannot be opened; nothing is changed then
     */
    public ListenerChange prepare(Map<String, ListenerConfig> next, Function<ListenerConfig, Protocol> protocols)
            throws BindFailure {
        return listeners.prepare(next, protocols.andThen(intake::speaking));
    }

    /**
     * TLS of outbound connections to origins; its files are watched until it is closed.
     *
     * @param section the name of the configuration section, for messages
     * @throws TlsFault if its files or settings cannot be used
     */
    public OriginTls connecting(String section, OriginTlsConfig config) throws TlsFault {
        return OriginTls.open(section, config, tls);
    }

    /** The owners of certificates, in the order of opening. */
    public List<CertificateOwner> certificateOwners() {
        return tls.watch().watched();
    }

    /** Runs the periodic tasks, once a second, on the first muxer. */
    public void second() {
        try {
            intake.pressure().second();
            queue.second();
            work.second();
        } catch (RuntimeException e) {
            // The next tick must still run.
            context.log().log(KernelMessages.PROTOCOL_ERROR, "connection queue", e);
        }
    }

    public Muxers muxers() {
        return muxers;
    }

    /** Which muxer is used, and why. */
    public MuxerChoice choice() {
        return muxers.choice();
    }

    public ConnectionQueue connectionQueue() {
        return queue;
    }

    /** The pressure from slow clients, which shortens their time-outs. */
    public Pressure pressure() {
        return intake.pressure();
    }

    /** Maximum of descriptors that this process may have open. */
    public long descriptors() {
        return limits.descriptors();
    }

    public KeepAlive keepAlive() {
        return keepAlive;
    }

    /** Number of connections that wait for their client's next request, without those whose response still streams. */
    public int idle() {
        return intake.idle();
    }

    public ClientSessions sessions() {
        return sessions;
    }

    /** Open listeners in the order of opening, or of the configuration that changed them. */
    public List<Listener> listeners() {
        return listeners.open();
    }

    /**
     * A work manager by name.
     *
     * @throws IllegalArgumentException if there is none of this name
     */
    public WorkManager workManager(String name) {
        WorkManager found = workManagers().get(name);
        if (found == null) {
            throw new IllegalArgumentException(
                    "no work manager \"" + name + "\"; known: " + workManagers().keySet());
        }
        return found;
    }

    /** The request class of this name; if unknown, that of the work manager. */
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

    /** Whether the server has failed because as many threads are stuck as its trigger sets. */
    public boolean failed() {
        return work.overload().failed();
    }

    /** Completes when the process must end because the server has failed. */
    public CompletableFuture<@Nullable Void> failure() {
        return work.overload().shutdown();
    }

    /** The current configuration. */
    public KernelConfig config() {
        return limits.config();
    }

    /** Number of connections accepted so far, including by removed listeners. */
    public long accepted() {
        return listeners.accepted();
    }

    /** Number of open connections. */
    public int connections() {
        return intake.open();
    }

    /** Current maximum of open connections. */
    public int maxConnections() {
        return limits.maxConnections();
    }

    /** Current maximum of connections of one address other than loopback. */
    public int maxConnectionsPerAddress() {
        return limits.maxPerAddress();
    }

    /** Current maximum of requests that wait for a slot. */
    public int queueCapacity() {
        return limits.queueCapacity();
    }

    /** The allocator of all connections' buffers. */
    public ByteBufAllocator allocator() {
        return PooledByteBufAllocator.DEFAULT;
    }

    /**
     * Stops accepting, closes idle connections, lets busy ones finish, and resets the remaining ones after the
     * time-out. A second call returns the drain in progress.
     */
    public CompletableFuture<DrainReport> drain(Duration timeOut) {
        return draining.drain(timeOut);
    }

    /**
     * Leaves the clients to another process: stops accepting, makes each connection's next response say close, and
     * drains connections still open after the grace. So no request is lost to a connection that is closed while the
     * request is in flight, unless its client was idle for the whole grace; not even then if the protocol can notify
     * the client (GOAWAY).
     */
    public CompletableFuture<DrainReport> retire(Duration grace, Duration timeOut) {
        return draining.retire(grace, timeOut);
    }

    /** Makes responses say close, and closes the listeners. */
    private void stopAccepting() {
        keepAlive.drain();
        listeners.close();
    }

    /** Closes everything immediately and waits briefly for the threads to end. */
    @Override
    public void close() {
        tls.watch().close();
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
        return context.clock();
    }

    public Intake intake() {
        return intake;
    }
}
