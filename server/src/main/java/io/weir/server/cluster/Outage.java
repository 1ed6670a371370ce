package io.weir.server.cluster;

import io.weir.base.Clock;
import io.weir.cluster.config.ClusterConfig;
import io.weir.cluster.config.Leasing;
import io.weir.cluster.lease.LeaseTimes;
import io.weir.cluster.log.LogStatus;
import io.weir.cluster.node.ClusterNode;
import io.weir.cluster.singleton.Here;
import io.weir.cluster.singleton.SingletonStage;
import io.weir.cluster.state.ClusterState;
import io.weir.cluster.state.CutOff;
import io.weir.cluster.state.singletons.SingletonState;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * That the cluster does not answer this member: it is in a minority, or the database is away. What the state says of the other
 * members, and of what is active, is then of the time before. Immutable.
 *
 * @param what does not answer
 * @param sinceMillis by this member's wall clock: when that was asked which was answered last
 * @param stopped singletons that the state has as active here and that are not, by name
 * @param here what runs here yet: activating, active, deactivating or isolated, by name
 */
public record Outage(String what, long sinceMillis, List<String> stopped, Map<String, String> here) {
    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final String STOPPED = "stopped";
    private static final Set<SingletonStage> RUNNING = Set.of(
            SingletonStage.ACTIVATING, SingletonStage.ACTIVE, SingletonStage.DEACTIVATING, SingletonStage.ISOLATED);

    public Outage {
        stopped = List.copyOf(stopped);
        here = Map.copyOf(here);
    }

    /**
     * As this member sees it; null where it is answered in time to keep its leases. A member that was never answered since its
     * start knows of the others no more than its disk does, and says so at once.
     */
    static @Nullable Outage of(ClusterNode node, Basis basis, ClusterConfig config, Clock clock) {
        LeaseTimes times = LeaseTimes.of(config.lease());
        long silence = node.silence();
        boolean answered = node.answered();
        if (config.alone()
                || (answered
                        && silence <= times.timeToLive().minus(times.grace()).toNanos())) {
            return null;
        }
        Map<String, String> here = node.here().stream()
                .filter(h -> RUNNING.contains(h.stage()))
                .collect(Collectors.toMap(Here::service, h -> h.stage().name().toLowerCase(Locale.ROOT), (a, _) -> a));
        ClusterState now = node.now();
        List<String> stopped = now.singletons().values().stream()
                .filter(s -> s.running() && node.self().member().equals(s.member()))
                .map(SingletonState::name)
                .filter(name -> !here.containsKey(name))
                .toList();
        return new Outage(
                what(config.leasing(), basis, answered), clock.millis() - silence / NANOS_PER_MILLI, stopped, here);
    }

    private static String what(Leasing leasing, Basis basis, boolean answered) {
        String waiting = basis.waiting();
        if (!waiting.isEmpty()) {
            return answered ? waiting : "waiting: " + waiting;
        }
        LogStatus log = basis.log().status();
        if (leasing == Leasing.DATABASE) {
            return answered ? "database away" : "no answer of the database yet";
        }
        if (log.leader() != null) {
            return "no answer of the log's leader " + log.leader();
        }
        return answered ? "no majority" : "no majority yet";
    }

    /** What can be said of a singleton: what it is to this member, where it was here; nothing of what was elsewhere or nowhere. */
    String phase(SingletonState s, String self) {
        if (!self.equals(s.member())) {
            return CutOff.UNKNOWN;
        }
        return stopped.contains(s.name()) ? STOPPED : here.getOrDefault(s.name(), CutOff.UNKNOWN);
    }

    /** What does not answer since when, for people. */
    String since() {
        return what + " since " + Instant.ofEpochMilli(sinceMillis - sinceMillis % 1000);
    }

    /** For people. */
    String text() {
        return stopped.isEmpty() ? since() : since() + "; stopped here: " + String.join(", ", stopped);
    }
}
