package io.weir.proxy;

import io.weir.base.Clock;
import io.weir.base.Counter;
import io.weir.http.ProtocolFault;
import java.net.InetAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The origin connections of one muxer: reuse, limits and waiting. Confined to that muxer; no connection ever changes
 * loops, so nothing here needs a lock. Bounds: connections and idle connections for each origin, waiters for each
 * origin, and connections in all.
 */
final class OriginPool {
    /** Who wants a connection. */
    interface Borrower {
        /** Here it is; {@code fresh} tells that it has never carried a request. */
        void ready(OriginConnection connection, boolean fresh);

        void unavailable(OriginFault fault, String detail);

        /** The borrower gave up while waiting. */
        boolean cancelled();

        /** Whether it may be connected to this address; asked for guarded origins only. */
        boolean allows(InetAddress address);
    }

    /** The bounds now in force. */
    record Bounds(int perOrigin, int idlePerOrigin, int waitersPerOrigin, long idleNanos, int uses) {}

    private static final class Origin {
        final ArrayDeque<OriginConnection> idle = new ArrayDeque<>();
        final ArrayDeque<Borrower> waiting = new ArrayDeque<>();
        /** Connections open or being opened. */
        int open;

        boolean unused() {
            return open == 0 && waiting.isEmpty();
        }
    }

    private final OriginConnector connector;
    private final Supplier<Bounds> bounds;
    private final Clock clock;
    private final Counter reused;
    private final Counter refused;
    private final Consumer<ProtocolFault> malformed;
    private final Consumer<Throwable> failures;
    private final Map<OriginKey, Origin> origins = new HashMap<>();
    private volatile int openConnections;
    private volatile int idleConnections;

    OriginPool(
            OriginConnector connector,
            Supplier<Bounds> bounds,
            Clock clock,
            Counter reused,
            Counter refused,
            Consumer<ProtocolFault> malformed,
            Consumer<Throwable> failures) {
        this.connector = connector;
        this.bounds = bounds;
        this.clock = clock;
        this.reused = reused;
        this.refused = refused;
        this.malformed = malformed;
        this.failures = failures;
    }

    /** Connections open now; read from any thread. */
    int open() {
        return openConnections;
    }

    /** Connections waiting for reuse; read from any thread. */
    int idle() {
        return idleConnections;
    }

    /**
     * Borrows a connection, at once or later.
     *
     * @param fresh never a reused one: for the second try of a request whose reused connection was dead
     */
    void borrow(OriginKey key, boolean fresh, Borrower borrower) {
        Origin origin = origins.computeIfAbsent(key, _ -> new Origin());
        OriginConnection parked = fresh ? null : takeIdle(origin, borrower);
        if (parked != null) {
            reused.inc();
            borrower.ready(parked, false);
            return;
        }
        Bounds bound = bounds.get();
        if (origin.open < bound.perOrigin()) {
            open(key, origin, borrower);
        } else if (fresh && !origin.idle.isEmpty()) {
            closeIdle(origin);
            open(key, origin, borrower);
        } else if (origin.waiting.size() < bound.waitersPerOrigin()) {
            origin.waiting.add(borrower);
        } else {
            refused.inc();
            borrower.unavailable(OriginFault.POOL_FULL, "all connections to " + key + " are in use");
        }
    }

    /** Gives a connection back after a complete exchange. */
    void release(OriginConnection connection) {
        Origin origin = origins.get(connection.key());
        if (origin == null) {
            connection.close();
            return;
        }
        Bounds bound = bounds.get();
        if (connection.uses() >= bound.uses()) {
            forget(connection);
            connection.close();
            return;
        }
        Borrower next = nextWaiting(origin);
        if (next != null) {
            reused.inc();
            next.ready(connection, false);
            return;
        }
        if (origin.idle.size() >= bound.idlePerOrigin()) {
            forget(connection);
            connection.close();
            return;
        }
        connection.park(clock.nanos());
        origin.idle.addLast(connection);
        idleConnections++;
    }

    /** A connection is closed or no longer the pool's: its place is free. */
    void forget(OriginConnection connection) {
        Origin origin = origins.get(connection.key());
        if (origin == null || !connection.leave()) {
            return;
        }
        if (origin.idle.remove(connection)) {
            idleConnections--;
        }
        freed(connection.key(), origin);
    }

    void unexpected(Throwable cause) {
        failures.accept(cause);
    }

    void countMalformed(ProtocolFault fault) {
        malformed.accept(fault);
    }

    /** Closes what has been idle for too long; called about once a second. */
    void sweep() {
        Bounds bound = bounds.get();
        long now = clock.nanos();
        List<OriginConnection> stale = new ArrayList<>();
        for (Origin origin : origins.values()) {
            for (OriginConnection c : origin.idle) {
                if (now - c.idleSince() >= bound.idleNanos()) {
                    stale.add(c);
                }
            }
            origin.waiting.removeIf(Borrower::cancelled);
        }
        for (OriginConnection c : stale) {
            forget(c);
            c.close();
        }
    }

    /** Closes all idle connections, at the end. */
    void close() {
        for (Origin origin : List.copyOf(origins.values())) {
            while (!origin.idle.isEmpty()) {
                closeIdle(origin);
            }
        }
    }

    private void open(OriginKey key, Origin origin, Borrower borrower) {
        origin.open++;
        openConnections++;
        connector.connect(key, this, borrower::allows, new OriginConnector.Result() {
            @Override
            public void connected(OriginConnection connection) {
                if (borrower.cancelled()) {
                    release(connection);
                } else {
                    borrower.ready(connection, true);
                }
            }

            @Override
            public void failed(OriginFault fault, String detail) {
                freed(key, origin);
                borrower.unavailable(fault, detail);
            }
        });
    }

    private void freed(OriginKey key, Origin origin) {
        origin.open--;
        openConnections--;
        Borrower next = nextWaiting(origin);
        if (next != null) {
            open(key, origin, next);
        } else if (origin.unused()) {
            origins.remove(key);
        }
    }

    private @Nullable OriginConnection takeIdle(Origin origin, Borrower borrower) {
        while (true) {
            OriginConnection c = origin.idle.pollLast();
            if (c == null) {
                return null;
            }
            if (c.key().guarded() && !borrower.allows(c.address())) {
                origin.idle.addLast(c);
                return null;
            }
            idleConnections--;
            if (c.idle()) {
                return c;
            }
            forget(c);
            c.close();
        }
    }

    private void closeIdle(Origin origin) {
        Iterator<OriginConnection> oldest = origin.idle.iterator();
        if (oldest.hasNext()) {
            OriginConnection c = oldest.next();
            forget(c);
            c.close();
        }
    }

    private static @Nullable Borrower nextWaiting(Origin origin) {
        Borrower next = origin.waiting.poll();
        while (next != null && next.cancelled()) {
            next = origin.waiting.poll();
        }
        return next;
    }
}
