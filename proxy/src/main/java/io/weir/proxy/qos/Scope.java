package io.weir.proxy.qos;

import io.weir.base.Counter;
import io.weir.base.Stats;
import io.weir.kernel.listen.TrafficLimits;

/** A listener or a virtual server with its limits and its usage. Shared by the muxers. */
final class Scope {
    private final String kind;
    private final String name;
    private final boolean configured;
    private final Usage usage;
    private final RateLimit requests;
    private final Bandwidth bandwidth;
    private final Counter refusedConnections;
    private final Counter refusedRequests;
    private volatile TrafficLimits limits;

    /**
     * @param kind {@code listener} or {@code virtual-server}
     * @param configured it is in the configuration
     */
    Scope(String kind, String name, TrafficLimits limits, boolean configured, long now, Stats stats) {
        this.kind = kind;
        this.configured = configured;
        this.name = name;
        this.limits = limits;
        this.usage = new Usage();
        this.requests = new RateLimit(now);
        this.bandwidth = new Bandwidth(now, stats.counter(QosStats.PAUSES, kind));
        this.refusedConnections = stats.counter(QosStats.REFUSED, kind, "connections");
        this.refusedRequests = stats.counter(QosStats.REFUSED, kind, "requests");
        limits(limits);
    }

    String kind() {
        return kind;
    }

    String name() {
        return name;
    }

    boolean configured() {
        return configured;
    }

    void limits(TrafficLimits next) {
        limits = next;
        bandwidth.rate(next.bandwidth().bytes());
    }

    /** Takes a place for a connection; returns false if there is none. */
    boolean admit() {
        boolean place = usage.admit(limits.connections());
        if (!place) {
            refusedConnections.inc();
        }
        return place;
    }

    /** Counts a request; returns 0 if it passes, else the nanoseconds until one would. */
    long take(long now) {
        long wait = requests.take(now, limits.requests());
        if (wait > 0) {
            refusedRequests.inc();
        }
        return wait;
    }

    Bandwidth bandwidth() {
        return bandwidth;
    }

    Usage usage() {
        return usage;
    }

    UsageFigures use(long now) {
        return usage.figures(name, now);
    }
}
