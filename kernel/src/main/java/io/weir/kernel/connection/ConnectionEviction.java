package io.weir.kernel.connection;

import io.weir.base.Clock;
import io.weir.kernel.settings.KernelLimits;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Which connection makes room for a new one at max-connections: the oldest idle one, and in a kernel that makes room
 * also one whose client is waited for. Shared; lives as long as its kernel.
 */
final class ConnectionEviction {
    /** Of those that are waited for so many are compared at most. */
    private static final int MOST_COMPARED = 256;
    /** So much of all connections any address may hold: which one holds how many counts beyond that. */
    private static final int SHARE = 8;
    /** Where more than such a part of all wait for their clients, these have no time. */
    private static final int CROWD = 4;

    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final List<WaitingConnections> waiting;
    private final KernelLimits limits;
    private final Addresses addresses;
    private final Clock clock;
    private final boolean makesRoom;

    /**
     * A choice.
     *
     * @param makesRoom whether connections whose client is waited for may go, too
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

    /** On which muxer one is to be looked for; null where none can go. */
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
        // in a flood all may be on their way to their muxers: asked after them, these know whom they wait for
        return waiting.stream()
                .filter(w -> w.muxer().arriving() > 0)
                .findFirst()
                .orElse(null);
    }

    /**
     * The muxer with the connection that has waited longest for its client; null if none has exceeded its grace of a
     * second. While more than a quarter of all connections wait for their clients there is no grace, which favours
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
     * The connection that makes room where none is idle: of those whose clients' time is over one of the address that
     * holds the most, where that is more than any may hold; else, and among them, the one that has held its place for
     * the longest, whatever it was answered meanwhile: who asks for one thing is always newer than who stays and asks
     * for more. Null where there is none. On the muxer.
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
