package io.weir.cluster.node;

import io.weir.base.Log;
import io.weir.base.Stats;
import io.weir.cluster.state.ClusterState;
import io.weir.cluster.state.StateListener;
import io.weir.cluster.state.entry.Event;
import io.weir.cluster.state.entry.Transition;
import io.weir.cluster.state.leases.LeaseEvent;
import io.weir.cluster.state.leases.Leases;
import io.weir.cluster.stats.ClusterMessages;
import io.weir.cluster.stats.ClusterStats;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Counts and logs the cluster's decisions as this member applies them, except those replayed after a restart. Confined
 * to the member's loop.
 */
final class DecisionLog implements StateListener {
    private final String self;
    private final BooleanSupplier present;
    private final Stats stats;
    private final Log log;

    /**
     * Creates the log of one member.
     *
     * @param self the author of this member's commands: {@code member:NAME}
     * @param present whether the entries being applied are new
     */
    DecisionLog(String self, BooleanSupplier present, Stats stats, Log log) {
        this.self = self;
        this.present = present;
        this.stats = stats;
        this.log = log;
    }

    @Override
    public void applied(ClusterState after, List<Event> events) {
        if (present.getAsBoolean()) {
            events.forEach(this::event);
        }
    }

    @Override
    public void restored(ClusterState now) {
        // the individual entries in between are unknown
    }

    private void event(Event event) {
        switch (event) {
            case LeaseEvent.Acquired a -> member(a.lease().name(), "");
            case LeaseEvent.Ended e -> ended(e);
            case LeaseEvent.FenceRefused f -> refused(f);
            case Event.Recorded r -> line(r.line());
            default -> {
                // logged by its line of history
            }
        }
    }

    /** Every member applies the refusal; only the proposer counts it. */
    private void refused(LeaseEvent.FenceRefused f) {
        if (f.by().equals(self)) {
            stats.counter(ClusterStats.FENCE_REFUSED, f.what(), ClusterStats.BY_THE_LOG)
                    .inc();
        }
    }

    private void ended(LeaseEvent.Ended e) {
        if (e.reason().equals(Leases.EXPIRED) || e.reason().equals(Leases.LOST)) {
            stats.counter(ClusterStats.EXPIRED).inc();
        }
        member(e.lease(), e.reason());
    }

    private void member(String lease, String reason) {
        String member = Leases.member(lease);
        if (member != null && reason.isEmpty()) {
            log.log(ClusterMessages.MEMBER_IN, member);
        } else if (member != null) {
            log.log(ClusterMessages.MEMBER_OUT, member, reason);
        }
    }

    private void line(Transition t) {
        String from = t.from().isEmpty() ? "new" : t.from();
        log.log(ClusterMessages.HISTORY, t.what(), t.name(), from, t.to(), t.fence(), t.reason(), t.by());
    }
}
