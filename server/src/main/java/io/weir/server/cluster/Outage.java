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
 * A time during which the cluster does not answer this member: it is in a minority, or the database is unreachable. The
 * state's data about other members, and about what is active, is then outdated. Immutable.
 *
 * @param what does not answer
 * @param sinceMillis when the last answered request was sent, by this member's wall clock
 * @param stopped singletons that are active here according to the state but are not, by name
 * @param here singletons that still run here: activating, active, deactivating or isolated, by name
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
     * The outage as seen by this member; null if it is answered in time to keep its leases. A member that was never
     * answered since its start knows only what is on its disk, and reports an outage at once.
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
            return answered ? waiting : "waiting for " + waiting;
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

    /** The known phase of a singleton: this member's view if it was here; unknown if it was elsewhere or nowhere. */
    String phase(SingletonState s, String self) {
        if (!self.equals(s.member())) {
            return CutOff.UNKNOWN;
        }
        return stopped.contains(s.name()) ? STOPPED : here.getOrDefault(s.name(), CutOff.UNKNOWN);
    }

    /** What does not answer and since when, as readable text. */
    String since() {
        return what + " since " + Instant.ofEpochMilli(sinceMillis - sinceMillis % 1000);
    }

    /** The whole outage, as readable text. */
    String text() {
        return stopped.isEmpty() ? since() : since() + "; stopped here: " + String.join(", ", stopped);
    }
}
