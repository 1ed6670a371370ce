package io.weir.cluster.lease;

import io.weir.base.Clock;
import io.weir.cluster.state.ClusterState;
import io.weir.cluster.state.StateListener;
import io.weir.cluster.state.entry.Event;
import io.weir.cluster.state.leases.LeaseEvent;
import io.weir.cluster.state.leases.LeaseState;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * When this member applied the last renewal of each lease, on its monotonic clock, from which it estimates the
 * remaining time of other members' leases. For display only. Written on the loop, read by any thread; bounded by the
 * leases in the cluster's state.
 */
public final class RenewalsSeen implements StateListener {
    private final Clock clock;
    private final long timeToLive;
    private final Map<String, Long> seen = new ConcurrentHashMap<>();

    public RenewalsSeen(Clock clock, LeaseTimes times) {
        this.clock = clock;
        this.timeToLive = times.ttlNanos();
    }

    /**
     * Estimated nanoseconds until each lease ends unless renewed, by name. The holder measures from when it sent the
     * renewal, so for it the lease ends slightly earlier; the log's leader waits longer by the margin. Zero for an
     * overdue lease.
     */
    public Map<String, Long> estimates() {
        long now = clock.nanos();
        Map<String, Long> left = new ConcurrentHashMap<>();
        seen.forEach((lease, at) -> left.put(lease, Math.max(0, timeToLive - (now - at))));
        return left;
    }

    @Override
    public void applied(ClusterState after, List<Event> events) {
        for (Event event : events) {
            switch (event) {
                case LeaseEvent.Acquired a -> seen.put(a.lease().name(), clock.nanos());
                case LeaseEvent.Renewed r -> r.leases().forEach(l -> seen.put(l, clock.nanos()));
                case LeaseEvent.Ended e -> seen.remove(e.lease());
                default -> {
                    // does not affect the remaining time of a lease
                }
            }
        }
    }

    /** Treats all held leases as renewed now, as a new leader of the log does. */
    @Override
    public void restored(ClusterState now) {
        seen.keySet().removeIf(l -> {
            LeaseState s = now.lease(l);
            return s == null || s.free();
        });
        now.leases().values().stream().filter(l -> !l.free()).forEach(l -> seen.put(l.name(), clock.nanos()));
    }
}
