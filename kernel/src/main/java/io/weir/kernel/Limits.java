package io.weir.kernel;

import io.weir.base.Live;
import io.weir.base.Log;
import java.net.InetAddress;

/**
 * The kernel's limits as they are now: configured, or derived from descriptors and processors. Shared, immutable but for
 * the live configuration that it reads each time.
 */
final class Limits {
    private static final int LEAST_THREADS = 128;
    private static final int QUEUE = 4096;

    private final Live<KernelConfig> config;
    private final Machine machine;
    private volatile WorkManagerConfig work;

    Limits(Live<KernelConfig> config, Machine machine, WorkManagerConfig work) {
        this.config = config;
        this.machine = machine;
        this.work = work;
    }

    /** The configuration of the work manager default, from which some are derived. */
    void standard(WorkManagerConfig next) {
        work = next;
    }

    long descriptors() {
        return machine.descriptors();
    }

    KernelConfig config() {
        return config.get();
    }

    int maxConnections() {
        int configured = config.get().maxConnections();
        return configured >= 0 ? configured : Math.clamp(machine.descriptors() * 4 / 5, 16, 1 << 20);
    }

    int maxFor(InetAddress address) {
        boolean exempt = config.get().maxConnectionsPerAddress() < 0 && address.isLoopbackAddress();
        return exempt ? Integer.MAX_VALUE : maxPerAddress();
    }

    /** Of an address that is not this machine's. */
    int maxPerAddress() {
        int configured = config.get().maxConnectionsPerAddress();
        return configured >= 0 ? configured : Math.max(1, maxConnections() / 2);
    }

    int throttle() {
        int configured = config.get().requestThrottle();
        return configured >= 0 ? configured : maxThreads(work, machine);
    }

    int queueCapacity() {
        int configured = config.get().connectionQueue().capacity();
        return configured >= 0 ? configured : Math.min(QUEUE, Math.max(1, maxConnections() / 4));
    }

    int keepAlive() {
        int configured = config.get().keepAlive().maxConnections();
        return configured >= 0 ? configured : maxConnections() - maxConnections() / 16;
    }

    /** The limit as the seed displays it: queue size plus maximum threads plus keep-alive size. */
    int displayedQueueLimit() {
        return queueCapacity() + throttle() + keepAlive();
    }

    /** Both zero: everything is handled on the muxer. */
    boolean poolDisabled() {
        return throttle() == 0 && queueCapacity() == 0;
    }

    int socketReaders(MuxerKind kind) {
        KernelConfig c = config.get();
        if (c.socketReaders() >= 0) {
            return c.socketReaders();
        }
        int processors = machine.processors();
        if (kind.isNative()) {
            return processors;
        }
        return Math.clamp((long) maxThreads(work, machine) * c.percentSocketReaders() / 100, 1, processors);
    }

    static int maxThreads(WorkManagerConfig work, Machine machine) {
        return work.maxThreads() >= 0 ? work.maxThreads() : Math.max(LEAST_THREADS, machine.processors());
    }

    static int minThreads(WorkManagerConfig work, Machine machine) {
        int max = maxThreads(work, machine);
        return Math.min(max, work.minThreads() >= 0 ? work.minThreads() : machine.processors());
    }

    /** Says at fine what was derived. */
    void log(Log log) {
        KernelConfig c = config.get();
        tell(log, c.maxConnections(), "max-connections", maxConnections());
        if (c.maxConnectionsPerAddress() < 0) {
            tell(log, -1, "max-connections-per-address (not loopback)", Math.max(1, maxConnections() / 2));
        }
        tell(log, c.requestThrottle(), "request-throttle", throttle());
        tell(log, c.connectionQueue().capacity(), "connection-queue.capacity", queueCapacity());
        tell(log, c.keepAlive().maxConnections(), "keep-alive.max-connections", keepAlive());
    }

    void tell(Log log, int configured, String knob, int value) {
        if (configured < 0) {
            log.log(KernelMessages.DERIVED, knob, value, machine.descriptors(), machine.processors());
        }
    }
}
