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
    /** The work manager that the connection queue uses. */
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
        return listeners.open(name, config, intake.speaking(protocol), descriptor);
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
        return listeners.prepare(next, protocols.andThen(intake::speaking));
    }

    /**
     * TLS of connections that are made, to origins; its files are looked after until it is closed.
     *
     * @param section the section of the configuration that says how, for messages
     * @throws TlsFault when its files or settings cannot be used
     */
    public OriginTls connecting(String section, OriginTlsConfig config) throws TlsFault {
        return OriginTls.open(section, config, tls);
    }

    /** Who has certificates, in the order of opening. */
    public List<CertificateOwner> certificateOwners() {
        return tls.watch().watched();
    }

    /** What happens once a second; on the first muxer. */
    public void second() {
        try {
            intake.pressure().second();
            queue.second();
            work.second();
        } catch (RuntimeException e) {
            // The next second comes all the same.
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

    /** What slow clients hold, and what that means to them. */
    public Pressure pressure() {
        return intake.pressure();
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

    /** Where all buffers of connections come from. */
    public ByteBufAllocator allocator() {
        return PooledByteBufAllocator.DEFAULT;
    }

    /**
     * Stops accepting, closes idle connections, lets busy ones finish, and resets what is left after the time-out. Asking
     * again gives the drain in progress.
     */
    public CompletableFuture<DrainReport> drain(Duration timeOut) {
        return draining.drain(timeOut);
    }

    /**
     * Leaves the clients to another process: stops accepting, lets each connection's next answer say close, and drains
     * what is still open after the grace. So no request meets a connection that is closed while it is on its way, unless
     * its client was idle for the whole grace; where the protocol can tell the client at once, not even then.
     */
    public CompletableFuture<DrainReport> retire(Duration grace, Duration timeOut) {
        return draining.retire(grace, timeOut);
    }

    /** Answers say close, and listeners are closed. */
    private void stopAccepting() {
        keepAlive.drain();
        listeners.close();
    }

    /** Closes everything at once and waits shortly for the threads to end. */
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
