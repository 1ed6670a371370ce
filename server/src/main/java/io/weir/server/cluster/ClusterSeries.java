package io.weir.server.cluster;

import io.weir.base.StatSpec;
import io.weir.base.Stats;
import io.weir.cluster.state.ClusterState;
import io.weir.cluster.state.CutOff;
import io.weir.cluster.state.leases.LeaseState;
import io.weir.cluster.stats.ClusterStats;
import io.weir.server.figures.cluster.ClusterFigures;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Statistics of each held lease and each singleton, computed when they are shown: series of removed ones are dropped,
 * and at most {@link ClusterFigures#MAX_ROWS} of each are shown. Shared; its lock is taken at each refresh.
 */
final class ClusterSeries {
    private static final long NANOS_PER_MILLI = 1_000_000;

    private record Child(StatSpec spec, List<String> labels) {}

    private final Stats stats;
    private Set<Child> shown = new HashSet<>();
    private volatile long leftOut;

    ClusterSeries(Stats stats) {
        this.stats = stats;
        stats.gauge(ClusterStats.SERIES_LEFT_OUT, () -> leftOut);
    }

    synchronized void show(
            ClusterState now, List<ClusterFigures.Lease> leases, List<ClusterFigures.Singleton> singletons) {
        Set<Child> before = shown;
        shown = new HashSet<>();
        leases.stream().limit(ClusterFigures.MAX_ROWS).forEach(l -> lease(now, l));
        singletons.stream().limit(ClusterFigures.MAX_ROWS).forEach(this::singleton);
        leftOut = beyond(leases.size()) + beyond(singletons.size());
        before.removeAll(shown);
        before.forEach(c -> stats.remove(c.spec(), c.labels().toArray(String[]::new)));
    }

    private static long beyond(int rows) {
        return Math.max(0, rows - ClusterFigures.MAX_ROWS);
    }

    /** Series of a lease; if its holder is unknown, only the last known values. */
    private void lease(ClusterState now, ClusterFigures.Lease l) {
        LeaseState state = now.lease(l.name());
        if (state == null) {
            return;
        }
        if (!l.fence().isEmpty()) {
            gauge(ClusterStats.LEASE_OWNER, 1, l.name(), l.owner());
            gauge(ClusterStats.LEASE_FENCE, state.fence().counter(), l.name());
            gauge(ClusterStats.LEASE_EPOCH, state.fence().epoch(), l.name());
        }
        if (l.millisLeft() >= 0) {
            gauge(
                    ClusterStats.LEASE_LEFT,
                    l.millisLeft() * NANOS_PER_MILLI,
                    l.name(),
                    l.estimated() ? "estimate" : "held");
        }
        LongSupplier transitions = l::transitions;
        shown.add(new Child(ClusterStats.LEASE_TRANSITIONS, List.of(l.name())));
        stats.counter(ClusterStats.LEASE_TRANSITIONS, transitions, l.name());
    }

    private void singleton(ClusterFigures.Singleton s) {
        String member = s.phase().equals(CutOff.UNKNOWN) ? "" : s.member();
        gauge(ClusterStats.SINGLETON_PHASE, 1, s.name(), member, s.phase());
        gauge(ClusterStats.LAST_ACTIVATION, s.activationNanos(), s.name());
    }

    private void gauge(StatSpec spec, long value, String... labels) {
        shown.add(new Child(spec, List.of(labels)));
        stats.gauge(spec, () -> value, labels);
    }
}
