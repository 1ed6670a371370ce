package io.weir.kernel.connection;

import io.weir.base.Clock;
import io.weir.kernel.settings.KernelLimits;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Selects the connection that is closed for a new one at max-connections: the oldest idle one, and in a kernel that
 * makes room also one that waits for its client. Shared; lives as long as its kernel.
 */
final class ConnectionEviction {
    /** At most so many awaited connections are compared. */
    private static final int MOST_COMPARED = 256;
    /** Any address may hold this fraction (1/8) of all connections; only beyond it does the number held count. */
    private static final int SHARE = 8;
    /** If more than this fraction (1/4) of all connections wait for their clients, there is no grace period. */
    private static final int CROWD = 4;

    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final List<WaitingConnections> waiting;
    private final KernelLimits limits;
    private final Addresses addresses;
    private final Clock clock;
    private final boolean makesRoom;

    /**
     * Creates the eviction policy.
     *
     * @param makesRoom whether connections that wait for their client may be evicted, too
     */
    ConnectionEviction(
            List<WaitingConnections> waiting,
            KernelLimits limits,
            Addresses addresses,
            Clock clock,
            boolean makesRoom) {
        this.waiting = waiting;
        this.limits = limits;
        this.addresses = addresses;
        this.clock = clock;
        this.makesRoom = makesRoom;
    }

    /** The muxer on which to look for a connection to close, or null if none can be closed. */
    @Nullable
    WaitingConnections from() {
        WaitingConnections idle = KeepAlive.withOldest(waiting, WaitingConnections::idle);
        if (idle != null || !makesRoom) {
            return idle;
        }
        WaitingConnections found = withAwaited();
        if (found != null) {
            return found;
        }
        // in a flood all connections may still be on their way to their muxers; by the time a task runs on such a
        // muxer, it has registered them
        return waiting.stream()
                .filter(w -> w.muxer().arriving() > 0)
                .findFirst()
                .orElse(null);
    }

    /**
     * The muxer with the connection that has waited longest for its client, or null if none has exceeded its grace of
     * one second. While more than a quarter of all connections wait for their clients there is no grace, which favours
     * clients that send at once.
     */
    private @Nullable WaitingConnections withAwaited() {
        WaitingConnections found = KeepAlive.withOldest(waiting, WaitingConnections::awaited);
        return found != null && overdue(found) ? found : null;
    }

    private boolean overdue(WaitingConnections of) {
        long since = of.awaited().oldestSince();
        return since != ConnectionList.NONE && (clock.nanos() - since >= PATIENCE_NANOS || crowded());
    }

    private boolean crowded() {
        int all = 0;
        for (WaitingConnections each : waiting) {
            all += each.awaited().size() + each.muxer().arriving();
        }
        return all > limits.maxConnections() / CROWD;
    }

    /**
     * Selects the connection to close where none is idle. Candidates are connections whose clients have exceeded their
     * grace. If an address holds more than its share, its connections are preferred, the largest holder first. Among
     * equals, the connection that has held its place longest is selected, no matter how many responses it has received,
     * because a client with a single request is always newer than one that stays and sends more. Returns null if there
     * is none. Call on the muxer.
     */
    @Nullable
    Connection choose(WaitingConnections of) {
        if (!makesRoom) {
            return null;
        }
        long now = clock.nanos();
        boolean crowded = crowded();
        int share = Math.max(1, limits.maxConnections() / SHARE);
        Connection found = null;
        int most = 0;
        int compared = 0;
        for (Connection c = of.awaited().oldest(); c != null && compared < MOST_COMPARED; c = c.nextIdle) {
            compared++;
            if (!crowded && now - c.idleSince < PATIENCE_NANOS) {
                return found;
            }
            int held = Math.max(share, addresses.held(c.remote().getAddress()));
            if (found == null || held > most || (held == most && c.heldSince - found.heldSince < 0)) {
                found = c;
                most = held;
            }
        }
        return found;
    }
}
