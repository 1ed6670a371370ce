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
 * The keep-alive subsystem: connections that wait for their client's next request (the tuning guide, "Keep-Alive Information").
 * A place is reserved before an answer's head says keep-alive; at the maximum the answer says close. Shared; the idle
 * connections themselves are confined to their muxers.
 */
public final class KeepAlive {
    /** Connections whose client is still taking an answer are passed over, but not without end. */
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
     * Reserves a place for a connection whose answer is about to say keep-alive. On the muxer.
     *
     * @return false: the answer must say close, and the connection be closed after it, or it is closed already
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

    /** Gives a reserved place back, because the connection is closed after all. On the muxer. */
    public void release(Connection c) {
        if (c.reserved) {
            unpark(c);
            c.reserved = false;
            count.decrementAndGet();
        }
    }

    /**
     * The answer is written and no further request is in: the connection idles. On the muxer.
     *
     * @return false when there is no place: the protocol closes the connection
     */
    public boolean park(Connection c) {
        if (draining || !reserve(c)) {
            release(c);
            return false;
        }
        if (!c.parked) {
            c.clientCame();
            c.idleSince = c.muxer().deadlines().now();
            c.parked = true;
            c.waiting.idle().add(c);
            c.waiting.sweep(this);
        }
        return true;
    }

    /** The next request begins to arrive: a hit when the connection had been kept. On the muxer. */
    public void resumed(Connection c) {
        if (c.reserved) {
            hits.inc();
            release(c);
        }
    }

    /** Closes the muxer's oldest idle connection to make room; false when none is idle. On the muxer. */
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

    /** Closes what is idle for too long; returns after how many nanoseconds to come again, or -1. On the muxer. */
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
                // Its client still takes the answer: the write time-out judges it, its idle time begins anew.
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

    /** Where the oldest connection of a kind is the oldest of all, or null when there is none. */
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

    /** Connections kept now, reserved places of answers being written included (KeepAliveCount). */
    public int count() {
        return count.get();
    }

    /** Most connections that are kept. */
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
