package io.weir.kernel;

import io.weir.base.Clock;
import io.weir.base.ConfigBinder;
import io.weir.base.Log;
import io.weir.base.Stats;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

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
    private final Sessions sessions;
    private final Map<String, WorkManager> workManagers = new TreeMap<>();

    /** Starts muxers and work managers; listeners are opened afterwards. */
    public Kernel(KernelParts parts) {
        this.parts = parts;
        Machine machine = Machine.current();
        Map<String, WorkManagerConfig> configured = new TreeMap<>(parts.workManagers());
        configured.computeIfAbsent(DEFAULT, _ -> ConfigBinder.defaults(WorkManagerConfig.class));
        WorkManagerConfig work = configured.getOrDefault(DEFAULT, ConfigBinder.defaults(WorkManagerConfig.class));
        this.limits = new Limits(parts.config(), machine, work);
        limits.log(parts.log());
        this.choice = MuxerChoice.choose(limits.config().muxer(), Transport::unavailable);
        this.muxers = MuxerStart.start(parts, limits, choice);
        this.keepAlive = new KeepAlive(limits, parts.stats());
        this.sessions = new Sessions(parts.clock());
        configured.forEach((name, c) ->
                workManagers.put(name, new WorkManager(name, c, machine, parts.name(), parts.stats(), parts.log())));
        this.queue = new ConnectionQueue(limits, parts.clock(), parts.stats(), parts.log(), workManager(DEFAULT));
    }

    /**
     * Opens a listener.
     *
     * @throws BindFailure when the address cannot be listened on, or its certificates cannot be used
     */
    public Listener open(String name, ListenerConfig config, Protocol protocol) throws BindFailure {
        throw new UnsupportedOperationException("coming: " + name + config + protocol);
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

    public KeepAlive keepAlive() {
        return keepAlive;
    }

    public Sessions sessions() {
        return sessions;
    }

    /**
     * A work manager by name.
     *
     * @throws IllegalArgumentException when none has this name
     */
    public WorkManager workManager(String name) {
        WorkManager found = workManagers.get(name);
        if (found == null) {
            throw new IllegalArgumentException("no work manager \"" + name + "\"; known: " + workManagers.keySet());
        }
        return found;
    }

    /** All work managers by name. */
    public Map<String, WorkManager> workManagers() {
        return Map.copyOf(workManagers);
    }

    /** The configuration as it is now. */
    public KernelConfig config() {
        return limits.config();
    }

    /** Connections that may be open now. */
    public int maxConnections() {
        return limits.maxConnections();
    }

    /** Stops accepting, closes idle connections, lets busy ones finish, and resets what is left after the time-out. */
    public CompletableFuture<DrainReport> drain(Duration timeOut) {
        throw new UnsupportedOperationException("coming: " + timeOut);
    }

    /** Closes everything at once. */
    @Override
    public void close() {
        throw new UnsupportedOperationException("coming");
    }

    public Clock clock() {
        return parts.clock();
    }

    Stats stats() {
        return parts.stats();
    }

    Log log() {
        return parts.log();
    }
}
