package io.weir.kernel.connection;

import io.weir.base.Counter;
import io.weir.base.Stats;
import io.weir.kernel.settings.KernelLimits;
import io.weir.kernel.settings.KernelStats;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The keep-alive subsystem: connections that wait for their client's next request (the tuning guide, "Keep-Alive
 * Information"). A place is reserved before a response head is written with keep-alive; at the maximum the response
 * says close. Shared; the idle connections themselves are confined to their muxers.
 */
public final class KeepAlive {
    /** Bound on the connections skipped because their client is still reading a response. */
    private static final int MOST_LOOKED_AT = 64;

    private final KernelLimits limits;
    private final AtomicInteger count = new AtomicInteger();
    private final Counter hits;
    private final Counter flushes;
    private final Counter refusals;
    private final Counter timeOuts;
    private volatile boolean draining;

    public KeepAlive(KernelLimits limits, Stats stats) {
        this.limits = limits;
        this.hits = stats.counter(KernelStats.KEEPALIVE_HITS);
        this.flushes = stats.counter(KernelStats.KEEPALIVE_FLUSHES);
        this.refusals = stats.counter(KernelStats.KEEPALIVE_REFUSALS);
        this.timeOuts = stats.counter(KernelStats.KEEPALIVE_TIMEOUTS);
        stats.gauge(KernelStats.KEEPALIVE_COUNT, this::count);
        stats.gauge(KernelStats.KEEPALIVE_LIMIT, this::limit);
    }

    /**
     * Reserves a place for a connection whose response is about to say keep-alive. Call on the muxer.
     *
     * @return false if the response must say close and the connection be closed after it, or if it is closed already
     */
    public boolean reserve(Connection c) {
        if (c.reserved) {
            return true;
        }
        if (c.gone || draining || c.listener().leaving() || timeOutNanos() == 0) {
            return false;
        }
        if (count.incrementAndGet() > limits.keepAlive()) {
            count.decrementAndGet();
            refusals.inc();
            return false;
        }
        c.reserved = true;
        return true;
    }

    /** Returns a reserved place, because the connection is closed after all. Call on the muxer. */
    public void release(Connection c) {
        if (c.reserved) {
            unpark(c);
            c.reserved = false;
            count.decrementAndGet();
        }
    }

    /**
     * Makes the connection idle: the response is written and no further request has arrived. Call on the muxer. A
     * reserved place counts while draining, too: the response has said keep-alive, and a client that sends one more
     * request on it must not find it closed. What closes idle connections (a drain, or the end of a grace) closes it.
     *
     * @return false if there is no place: the protocol closes the connection
     */
    public boolean park(Connection c) {
        if (!reserve(c)) {
            return false;
        }
        if (!c.parked) {
            c.clientResponded();
            c.idleSince = c.muxer().deadlines().now();
            c.parked = true;
            c.waiting.idle().add(c);
            c.waiting.sweep(this);
        }
        return true;
    }

    /** The next request begins to arrive: a hit if the connection had been kept. Call on the muxer. */
    public void resumed(Connection c) {
        if (c.reserved) {
            hits.inc();
            release(c);
        }
    }

    /** Closes the muxer's oldest idle connection to make room; returns false if none is idle. Call on the muxer. */
    boolean flushOldest(WaitingConnections waiting) {
        Connection c = waiting.idle().oldest();
        for (int looked = 1; c != null && c.unsent(); looked++) {
            c = looked < MOST_LOOKED_AT ? c.nextIdle : null;
        }
        if (c == null) {
            return false;
        }
        flushes.inc();
        release(c);
        c.close();
        return true;
    }

    /**
     * Closes connections that exceeded the idle time; returns the nanoseconds until the next sweep, or -1 if none is
     * idle. Call on the muxer.
     */
    long sweep(WaitingConnections waiting) {
        long timeOut = timeOutNanos();
        long now = waiting.muxer().deadlines().now();
        for (Connection c = waiting.idle().oldest();
                c != null;
                c = waiting.idle().oldest()) {
            long left = c.idleSince + timeOut - now;
            if (left > 0) {
                return left;
            }
            if (c.unsent()) {
                // Its client still reads the response: the write time-out applies to it, and its idle time starts
                // again.
                waiting.idle().remove(c);
                c.idleSince = now;
                waiting.idle().add(c);
            } else {
                timeOuts.inc();
                release(c);
                if (!c.leave()) {
                    c.close();
                }
            }
        }
        return -1;
    }

    public void drain() {
        draining = true;
    }

    boolean draining() {
        return draining;
    }

    private void unpark(Connection c) {
        if (c.parked) {
            c.parked = false;
            c.waiting.idle().remove(c);
        }
    }

    /** The muxer whose oldest connection of a kind is the oldest of all, or null if there is none. */
    static @Nullable WaitingConnections withOldest(
            List<WaitingConnections> muxers, Function<WaitingConnections, ConnectionList> kind) {
        WaitingConnections found = null;
        long since = ConnectionList.NONE;
        for (WaitingConnections m : muxers) {
            long s = kind.apply(m).oldestSince();
            if (s != ConnectionList.NONE && (found == null || s - since < 0)) {
                found = m;
                since = s;
            }
        }
        return found;
    }

    long timeOutNanos() {
        return limits.config().keepAlive().timeout().toNanos();
    }

    /** Connections kept now, including places reserved for responses being written (KeepAliveCount). */
    public int count() {
        return count.get();
    }

    /** Maximum of kept connections. */
    public int limit() {
        return limits.keepAlive();
    }

    public long hits() {
        return hits.value();
    }

    public long flushes() {
        return flushes.value();
    }

    public long refusals() {
        return refusals.value();
    }

    public long timeOuts() {
        return timeOuts.value();
    }

    /** The configured time-out in whole seconds, as perfdump shows it. */
    public long timeOutSeconds() {
        return limits.config().keepAlive().timeout().toSeconds();
    }
}
