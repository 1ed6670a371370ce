package io.weir.kernel.settings;

import io.weir.base.Live;
import io.weir.base.Log;
import java.net.InetAddress;

/**
 * The kernel's current limits: configured, or derived from descriptors and processors. Shared, immutable but for the
 * live configuration that it reads each time.
 */
public final class KernelLimits {
    private static final int QUEUE = 4096;

    private final Live<KernelConfig> config;
    private final Machine machine;
    private volatile int threads;

    /** @param threads the maximum number of threads of the work manager default */
    public KernelLimits(Live<KernelConfig> config, Machine machine, int threads) {
        this.config = config;
        this.machine = machine;
        this.threads = threads;
    }

    /** Updates the maximum number of threads of the work manager default, from which some limits are derived. */
    public void threads(int most) {
        threads = most;
    }

    public long descriptors() {
        return machine.descriptors();
    }

    public KernelConfig config() {
        return config.get();
    }

    public int maxConnections() {
        int configured = config.get().maxConnections();
        return configured >= 0 ? configured : Math.clamp(machine.descriptors() * 4 / 5, 16, 1 << 20);
    }

    public int maxFor(InetAddress address) {
        boolean exempt = config.get().maxConnectionsPerAddress() < 0 && address.isLoopbackAddress();
        return exempt ? Integer.MAX_VALUE : maxPerAddress();
    }

    /** The limit for an address other than loopback. */
    public int maxPerAddress() {
        int configured = config.get().maxConnectionsPerAddress();
        return configured >= 0 ? configured : Math.max(1, maxConnections() / 2);
    }

    public int throttle() {
        int configured = config.get().requestThrottle();
        return configured >= 0 ? configured : threads;
    }

    public int queueCapacity() {
        int configured = config.get().connectionQueue().capacity();
        return configured >= 0 ? configured : Math.min(QUEUE, Math.max(1, maxConnections() / 4));
    }

    public int keepAlive() {
        int configured = config.get().keepAlive().maxConnections();
        return configured >= 0 ? configured : maxConnections() - maxConnections() / 16;
    }

    /** The limit as the Sun proxy displays it: queue size plus maximum threads plus keep-alive size. */
    public int displayedQueueLimit() {
        return queueCapacity() + throttle() + keepAlive();
    }

    /** Whether throttle and queue capacity are both zero, so that everything is handled on the muxer. */
    public boolean poolDisabled() {
        return throttle() == 0 && queueCapacity() == 0;
    }

    public int socketReaders(MuxerKind kind) {
        KernelConfig c = config.get();
        if (c.socketReaders() >= 0) {
            return c.socketReaders();
        }
        int processors = machine.processors();
        if (kind.isNative()) {
            return processors;
        }
        return Math.clamp((long) threads * c.percentSocketReaders() / 100, 1, processors);
    }

    /** Logs the derived limits at level fine. */
    public void log(Log log) {
        KernelConfig c = config.get();
        logDerived(log, c.maxConnections(), "max-connections", maxConnections());
        if (c.maxConnectionsPerAddress() < 0) {
            logDerived(log, -1, "max-connections-per-address (not loopback)", Math.max(1, maxConnections() / 2));
        }
        logDerived(log, c.requestThrottle(), "request-throttle", throttle());
        logDerived(log, c.connectionQueue().capacity(), "connection-queue.capacity", queueCapacity());
        logDerived(log, c.keepAlive().maxConnections(), "keep-alive.max-connections", keepAlive());
    }

    public void logDerived(Log log, int configured, String knob, int value) {
        if (configured < 0) {
            log.log(KernelMessages.DERIVED, knob, value, machine.descriptors(), machine.processors());
        }
    }
}
