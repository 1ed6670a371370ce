package io.weir.proxy.qos;

import io.weir.base.Counter;
import io.weir.base.Stats;
import io.weir.kernel.TrafficLimits;
import java.util.concurrent.atomic.AtomicInteger;

/** A listener or a virtual server with its limits and what it uses of them. Shared by the muxers. */
final class Scope {
    private final AtomicInteger open = new AtomicInteger();
    private final AtomicInteger peak = new AtomicInteger();
    private final RateLimit requests;
    private final Bandwidth bandwidth;
    private final Counter refusedConnections;
    private final Counter refusedRequests;
    private volatile TrafficLimits limits;

    /** @param kind {@code listener} or {@code virtual-server} */
    Scope(String kind, TrafficLimits limits, long now, Stats stats) {
        this.limits = limits;
        this.requests = new RateLimit(now);
        this.bandwidth = new Bandwidth(now, stats.counter(QosStats.PAUSES, kind));
        this.refusedConnections = stats.counter(QosStats.REFUSED, kind, "connections");
        this.refusedRequests = stats.counter(QosStats.REFUSED, kind, "requests");
        limits(limits);
    }

    void limits(TrafficLimits next) {
        limits = next;
        bandwidth.rate(next.bandwidth().bytes());
    }

    /** Takes a place for a connection; false when there is none. */
    boolean admit() {
        int most = limits.connections();
        while (true) {
            int n = open.get();
            if (most > 0 && n >= most) {
                refusedConnections.inc();
                return false;
            }
            if (open.compareAndSet(n, n + 1)) {
                peak.accumulateAndGet(n + 1, Math::max);
                return true;
            }
        }
    }

    void released() {
        open.decrementAndGet();
    }

    /** Takes a request; 0 when it passes, else the nanoseconds until one would. */
    long take(long now) {
        TrafficLimits l = limits;
        long wait = l.requestRate() == 0 ? 0 : requests.take(now, l.requestRate(), l.requestBurst());
        if (wait > 0) {
            refusedRequests.inc();
        }
        return wait;
    }

    Bandwidth bandwidth() {
        return bandwidth;
    }

    int open() {
        return open.get();
    }

    int peak() {
        return peak.get();
    }
}
