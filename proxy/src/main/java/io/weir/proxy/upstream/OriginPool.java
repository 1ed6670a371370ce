package io.weir.proxy.upstream;

import io.weir.base.Clock;
import io.weir.http.ProtocolFault;
import io.weir.proxy.pool.OriginKey;
import java.net.InetAddress;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The origin connections of one muxer: reuse, limits and waiting. Confined to that muxer; connections never change
 * loops, so no locks are needed. See {@link PoolBounds}: connections and idle connections for each origin, waiters for
 * each origin, and connections in all.
 */
public final class OriginPool {
    /** A connection to be opened for a borrower. */
    private record Opening(OriginKey key, Origin origin, Borrower borrower) {}

    private static final class Origin {
        final ArrayDeque<OriginConnection> idle = new ArrayDeque<>();
        final ArrayDeque<Borrower> waiting = new ArrayDeque<>();
        /** Connections open or being opened. */
        int open;
        /** Bound on them, as configured for the latest borrower. */
        int most = Integer.MAX_VALUE;

        boolean unused() {
            return open == 0 && waiting.isEmpty();
        }
    }

    private final OriginConnector connector;
    private final Supplier<PoolBounds> bounds;
    private final Clock clock;
    private final UpstreamCounters counters;
    private final Consumer<Throwable> failures;
    private final Map<OriginKey, Origin> origins = new HashMap<>();
    private final IdleOrigins idle = new IdleOrigins();
    /** What was looked up last: a configured server has one key, and is asked for again when its answer ends. */
    private @Nullable OriginKey lastKey;

    private @Nullable Origin last;
    /** Freed places are filled by this queue instead of recursively. */
    private final ArrayDeque<Opening> openings = new ArrayDeque<>();

    private final AtomicInteger openConnections = new AtomicInteger();
    private final AtomicInteger waitingBorrowers = new AtomicInteger();
    private boolean opening;
    private volatile int idleConnections;
    private volatile double fullest;

    OriginPool(
            OriginConnector connector,
            Supplier<PoolBounds> bounds,
            Clock clock,
            UpstreamCounters counters,
            Consumer<Throwable> failures) {
        this.connector = connector;
        this.bounds = bounds;
        this.clock = clock;
        this.counters = counters;
        this.failures = failures;
    }

    /** Connections open now; readable from any thread. */
    int open() {
        return openConnections.get();
    }

    /** Connections waiting for reuse; readable from any thread. */
    int idle() {
        return idleConnections;
    }

    /** Requests that wait for a connection; readable from any thread. */
    int waiting() {
        return waitingBorrowers.get();
    }

    /** Borrows a connection; the borrower is called at once or later. */
    public void borrow(OriginKey key, Borrower borrower) {
        Origin origin = origin(key);
        if (origin == null) {
            counters.poolRefused.inc();
            borrower.unavailable(OriginFault.POOL_FULL, "connections to too many origins are in use");
            return;
        }
        PoolBounds bound = bounds.get();
        int connections = borrower.connections();
        origin.most = connections == 0 ? bound.perOrigin() : connections;
        trim(origin);
        OriginConnection parked = borrower.fresh() ? null : takeIdle(origin, borrower);
        if (parked != null) {
            counters.reused.inc();
            borrower.ready(parked, false);
            return;
        }
        int waiting = borrower.waiting();
        if (origin.open < origin.most) {
            open(key, origin, borrower);
        } else if (!origin.idle.isEmpty()) {
            // it needs a new one, or is not permitted to use these
            drop(origin.idle.getFirst(), Retirement.REPLACED);
            open(key, origin, borrower);
        } else if (origin.waiting.size() < (waiting < 0 ? bound.waitersPerOrigin() : waiting)) {
            origin.waiting.add(borrower);
            waitingBorrowers.incrementAndGet();
            borrower.waits(true);
        } else {
            counters.poolRefused.inc();
            borrower.unavailable(OriginFault.POOL_FULL, "all connections to " + key + " are in use");
        }
    }

    /** The origin's entry; null if the maximum number of origins is in use. */
    private @Nullable Origin origin(OriginKey key) {
        Origin known = known(key);
        if (known != null) {
            return known;
        }
        int most = bounds.get().origins();
        while (origins.size() >= most && !idle.isEmpty()) {
            drop(idle.getFirst(), Retirement.MAX_ORIGINS);
        }
        if (origins.size() >= most) {
            return null;
        }
        Origin made = new Origin();
        origins.put(key, made);
        lastKey = null;
        return made;
    }

    private @Nullable Origin known(OriginKey key) {
        if (!key.equals(lastKey)) {
            last = origins.get(key);
            lastKey = key;
        }
        return last;
    }

    /** Closes idle connections if the bound was lowered. */
    private void trim(Origin origin) {
        while (origin.open > origin.most && !origin.idle.isEmpty()) {
            drop(origin.idle.getFirst(), Retirement.MAX_CONNECTIONS);
        }
    }

    private void drop(OriginConnection connection, Retirement why) {
        counters.retired(why);
        forget(connection);
        connection.close();
    }

    /** Returns a connection after a complete exchange. */
    void release(OriginConnection connection) {
        Origin origin = known(connection.key());
        if (origin == null) {
            connection.close();
            return;
        }
        PoolBounds bound = bounds.get();
        trim(origin);
        Retirement unfit = unfit(connection, origin, bound);
        Borrower next = unfit == null ? nextWaiting(origin) : null;
        if (unfit != null) {
            drop(connection, unfit);
        } else if (next != null) {
            hand(connection, origin, next);
        } else if (bound.idleNanos() == 0) {
            drop(connection, Retirement.IDLE_TIME_OUT);
        } else {
            park(connection, origin, bound);
        }
    }

    /** Why it must not carry another request; null if it may. */
    private @Nullable Retirement unfit(OriginConnection connection, Origin origin, PoolBounds bound) {
        if (origin.open > origin.most) {
            return Retirement.MAX_CONNECTIONS;
        }
        if (connection.uses() >= bound.uses()) {
            return Retirement.MAX_USES;
        }
        if (!connector.upToDate(connection)) {
            return Retirement.TLS_CHANGED;
        }
        return connection.uses() > 0 && nextCannotReuse(origin) ? Retirement.REPLACED : null;
    }

    private void hand(OriginConnection connection, Origin origin, Borrower next) {
        if (mayUse(next, connection)) {
            counters.reused.inc();
            next.ready(connection, connection.uses() == 0);
            return;
        }
        // it was next in line: it keeps its place, where it is refused, or connected to a permitted address
        origin.waiting.addFirst(next);
        waitingBorrowers.incrementAndGet();
        next.waits(true);
        drop(connection, Retirement.REPLACED);
    }

    private void park(OriginConnection connection, Origin origin, PoolBounds bound) {
        connection.park(clock.nanos());
        origin.idle.addLast(connection);
        idle.add(connection);
        while (idle.size() > bound.idle()) {
            drop(idle.getFirst(), Retirement.MAX_IDLE);
        }
        idleConnections = idle.size();
    }

    /** A connection is closed or left the pool: its place is free. */
    void forget(OriginConnection connection) {
        Origin origin = known(connection.key());
        if (origin == null || !connection.leave()) {
            return;
        }
        if (idle.remove(connection)) {
            origin.idle.remove(connection);
            idleConnections = idle.size();
        }
        freed(connection.key(), origin);
    }

    void unexpected(Throwable cause) {
        failures.accept(cause);
    }

    void countMalformed(ProtocolFault fault) {
        counters.fault(fault.reason());
    }

    /** Counts data that an origin sent beyond what was requested. */
    void countSurplus() {
        counters.originSurplus.inc();
    }

    /** Counts a request that an origin refused without processing. */
    void countUnprocessed() {
        counters.http2.originUnprocessed();
    }

    /** Counts a pause because the origin reads too slowly. */
    void countPause() {
        counters.originWritePauses.inc();
    }

    /** Counts a pause in reading a stream's answer. */
    void countStreamPause() {
        counters.http2.originPause();
    }

    /**
     * Utilisation of the busiest origin at the last sweep, 0 to 1: connections in use of those permitted. From any
     * thread.
     */
    double fullest() {
        return fullest;
    }

    /** Closes connections that have been idle for too long; called about once a second. */
    void sweep() {
        PoolBounds bound = bounds.get();
        int used = 0;
        for (Origin origin : origins.values()) {
            used = Math.max(used, origin.open - origin.idle.size());
        }
        fullest = used / (double) bound.perOrigin();
        long now = clock.nanos();
        while (!idle.isEmpty() && now - idle.getFirst().idleSince() >= bound.idleNanos()) {
            drop(idle.getFirst(), Retirement.IDLE_TIME_OUT);
        }
        if (waitingBorrowers.get() > 0) {
            int left = 0;
            for (Origin origin : origins.values()) {
                origin.waiting.removeIf(Borrower::cancelled);
                left += origin.waiting.size();
            }
            waitingBorrowers.set(left);
        }
    }

    /** Closes the idle connections to an origin that gets no more requests. */
    void dropIdle(OriginKey key) {
        Origin origin = origins.get(key);
        while (origin != null && !origin.idle.isEmpty()) {
            drop(origin.idle.getFirst(), Retirement.ORIGIN_LEFT);
        }
    }

    /** Closes all idle connections, when the proxy stops. */
    void close() {
        while (!idle.isEmpty()) {
            drop(idle.getFirst(), Retirement.STOP);
        }
    }

    private void open(OriginKey key, Origin origin, Borrower borrower) {
        // dropping the last connection to make room for this one has removed the origin's entry
        origins.putIfAbsent(key, origin);
        lastKey = null;
        origin.open++;
        openConnections.incrementAndGet();
        openings.add(new Opening(key, origin, borrower));
        if (opening) {
            return;
        }
        opening = true;
        try {
            for (Opening next = openings.poll(); next != null; next = openings.poll()) {
                connect(next.key(), next.origin(), next.borrower());
            }
        } finally {
            opening = false;
        }
    }

    private void connect(OriginKey key, Origin origin, Borrower borrower) {
        long nanos = borrower.connecting();
        OriginConnector.Wish wish = borrower.switches() ? OriginConnector.Wish.SWITCH : OriginConnector.Wish.ANY;
        connector.connect(
                new OriginConnector.Order(key, this, borrower.rule(), nanos, wish), new OriginConnector.Result() {
                    @Override
                    public void resolving(boolean begins) {
                        borrower.resolving(begins);
                    }

                    @Override
                    public void connected(OriginConnection connection) {
                        if (borrower.cancelled()) {
                            release(connection);
                        } else if (!mayUse(borrower, connection)) {
                            // the rules changed while it was connecting
                            borrower.rule().refused(connection.address());
                            release(connection);
                            borrower.unavailable(OriginFault.FORBIDDEN, "no allowed address for " + key.host());
                        } else {
                            borrower.ready(connection, connection.fresh());
                        }
                    }

                    @Override
                    public void failed(OriginFault fault, String detail) {
                        freed(key, origin);
                        if (!borrower.cancelled()) {
                            borrower.unavailable(fault, detail);
                        }
                    }
                });
    }

    private void freed(OriginKey key, Origin origin) {
        origin.open--;
        openConnections.decrementAndGet();
        Borrower next = origin.open < origin.most ? nextWaiting(origin) : null;
        if (next != null) {
            open(key, origin, next);
        } else if (origin.unused()) {
            origins.remove(key);
            lastKey = null;
        }
    }

    /** A connection may be reused by any borrower that is allowed to connect to its address. */
    private static boolean mayUse(Borrower borrower, OriginConnection c) {
        return !c.key().guarded() || borrower.rule().allows(c.address());
    }

    private @Nullable OriginConnection takeIdle(Origin origin, Borrower borrower) {
        OriginConnection c = idleFor(origin, borrower);
        while (c != null) {
            origin.idle.remove(c);
            idle.remove(c);
            idleConnections = idle.size();
            Retirement worn = worn(c);
            if (worn == null) {
                return c;
            }
            drop(c, worn);
            c = idleFor(origin, borrower);
        }
        return null;
    }

    /**
     * The most recently used connection that the borrower may use; a borrower that needs a silent one gets the longest
     * silent.
     */
    private @Nullable OriginConnection idleFor(Origin origin, Borrower borrower) {
        long quiet = borrower.quiet();
        if (quiet > 0) {
            OriginConnection first = origin.idle.peekFirst();
            boolean fits = first != null && clock.nanos() - first.idleSince() >= quiet && mayUse(borrower, first);
            return fits ? first : null;
        }
        OriginConnection last = origin.idle.peekLast();
        if (last == null || mayUse(borrower, last)) {
            return last;
        }
        InetAddress forbidden = last.address();
        Iterator<OriginConnection> before = origin.idle.descendingIterator();
        while (before.hasNext()) {
            OriginConnection c = before.next();
            if (!c.address().equals(forbidden) && mayUse(borrower, c)) {
                return c;
            }
        }
        return null;
    }

    /** Why an idle connection is not reused; null if it is. */
    private @Nullable Retirement worn(OriginConnection c) {
        if (!c.idle()) {
            return Retirement.DEAD;
        }
        if (!connector.upToDate(c)) {
            return Retirement.TLS_CHANGED;
        }
        boolean announced = c.bounded() && clock.nanos() - c.idleSince() >= c.keptNanos();
        return announced ? Retirement.ANNOUNCED : null;
    }

    /**
     * Whether the longest waiting borrower cannot use a connection that just carried a request, and needs its place
     * instead.
     */
    private boolean nextCannotReuse(Origin origin) {
        Borrower next = origin.waiting.peek();
        while (next != null && next.cancelled()) {
            origin.waiting.poll();
            waitingBorrowers.decrementAndGet();
            next = origin.waiting.peek();
        }
        return next != null && (next.fresh() || next.quiet() > 0);
    }

    private @Nullable Borrower nextWaiting(Origin origin) {
        Borrower next = origin.waiting.poll();
        while (next != null) {
            waitingBorrowers.decrementAndGet();
            if (!next.cancelled()) {
                return next;
            }
            next = origin.waiting.poll();
        }
        return null;
    }
}
