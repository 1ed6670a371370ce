package io.weir.server.cluster;

import io.weir.base.Clock;
import io.weir.cluster.config.ClusterConfig;
import io.weir.cluster.config.Leasing;
import io.weir.cluster.lease.LeaseTimes;
import io.weir.cluster.log.LogStatus;
import io.weir.cluster.node.ClusterNode;
import io.weir.cluster.state.ClusterState;
import io.weir.cluster.state.SingletonState;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * That the cluster does not answer this member: it is in a minority, or the database is away. What the state says of the other
 * members, and of what is active, is then of the time before. Immutable.
 *
 * @param what does not answer
 * @param sinceMillis by this member's wall clock: when that was asked which was answered last
 * @param stopped singletons that the state has as active here and that are not, by name
 */
public record Outage(String what, long sinceMillis, List<String> stopped) {
    private static final long NANOS_PER_MILLI = 1_000_000;

    public Outage {
        stopped = List.copyOf(stopped);
    }

    /** As this member sees it; null where it is answered in time to keep its leases. */
    static @Nullable Outage of(ClusterNode node, Basis basis, ClusterConfig config, Clock clock) {
        LeaseTimes times = LeaseTimes.of(config.lease());
        long silence = node.silence();
        boolean begins = !basis.waiting().isEmpty();
        if (config.alone()
                || begins
                || silence <= times.timeToLive().minus(times.grace()).toNanos()) {
            return null;
        }
        ClusterState now = node.now();
        List<String> stopped = now.singletons().values().stream()
                .filter(s -> s.running() && node.self().member().equals(s.member()))
                .map(SingletonState::name)
                .filter(name -> node.services().named(name).isEmpty())
                .toList();
        return new Outage(
                what(config.leasing(), basis.log().status()), clock.millis() - silence / NANOS_PER_MILLI, stopped);
    }

    private static String what(Leasing leasing, LogStatus log) {
        if (leasing == Leasing.DATABASE) {
            return "database away";
        }
        return log.leader() == null ? "no majority" : "no answer of the log, which " + log.leader() + " leads";
    }

    /** For people. */
    String text() {
        String since = what + " since " + Instant.ofEpochMilli(sinceMillis - sinceMillis % 1000);
        return stopped.isEmpty() ? since : since + "; stopped here: " + String.join(", ", stopped);
    }
}
