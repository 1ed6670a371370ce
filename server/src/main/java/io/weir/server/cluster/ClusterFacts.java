package io.weir.server.cluster;

import io.weir.base.Fence;
import io.weir.base.Histogram;
import io.weir.base.Stats;
import io.weir.cluster.log.LogStatus;
import io.weir.cluster.log.LogStatus.Peer;
import io.weir.cluster.state.ClusterState;
import io.weir.cluster.state.LeaseState;
import io.weir.cluster.state.MemberState;
import io.weir.cluster.state.Phase;
import io.weir.cluster.state.SingletonState;
import io.weir.cluster.state.TimerState;
import io.weir.cluster.stats.ClusterStats;
import io.weir.journal.Damages;
import io.weir.server.monitor.ClusterFigures;
import io.weir.server.monitor.Facts;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The cluster's figures for the monitoring views, as this member knows them: nothing is asked of another. Shared. */
public final class ClusterFacts {
    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final String UNKNOWN = "unknown";

    private final ClusterAccess cluster;
    private final Stats stats;
    private final ClusterSeries series;

    public ClusterFacts(ClusterAccess cluster, Stats stats) {
        this.cluster = cluster;
        this.stats = stats;
        this.series = new ClusterSeries(stats);
        stats.gauge(ClusterStats.MEMBERS, () -> live(cluster.now()), "live");
        stats.gauge(ClusterStats.MEMBERS, () -> cluster.now().members().size() - live(cluster.now()), "gone");
        stats.gauge(ClusterStats.LEADING, () -> cluster.log().leading() ? 1 : 0);
        stats.gauge(ClusterStats.LEADER_KNOWN, () -> cluster.log().leader() == null ? 0 : 1);
        stats.gauge(ClusterStats.TERM, () -> cluster.log().term());
        stats.gauge(ClusterStats.APPLIED, () -> cluster.log().applied());
        stats.gauge(ClusterStats.BINDINGS, () -> cluster.now().bindings().size());
    }

    /** Statistics of the peers, leases and singletons that are there now; to be called now and then. */
    public void refresh() {
        series.show(cluster.now(), leases());
        for (Peer p : cluster.log().peers()) {
            stats.gauge(ClusterStats.LAG, () -> lag(p.member()), p.member());
        }
    }

    public ClusterFigures figures() {
        ClusterState s = cluster.now();
        LogStatus log = cluster.log();
        Outage outage = cluster.outage();
        Map<String, Peer> peers = log.peers().stream().collect(Collectors.toMap(Peer::member, p -> p, (a, _) -> a));
        return new ClusterFigures(
                totals(s, log, cluster.remaining().size(), outage),
                s.members().values().stream()
                        .map(m -> member(s, log, m, peers.get(m.name()), outage))
                        .toList(),
                leases(),
                s.singletons().values().stream().map(x -> singleton(x, outage)).toList(),
                s.timers().values().stream().map(this::timer).toList());
    }

    private ClusterFigures.Totals totals(ClusterState s, LogStatus log, int held, @Nullable Outage outage) {
        Histogram activation = stats.histogram(ClusterStats.ACTIVATION_TIME);
        return new ClusterFigures.Totals(
                cluster.cluster(),
                cluster.self(),
                cluster.leasing(),
                word(log.role()),
                text(log.leader()),
                log.term(),
                log.applied(),
                log.committed(),
                (int) s.members().values().stream()
                        .filter(m -> s.alive(m.name()) && !state(s, m, outage).equals(UNKNOWN))
                        .count(),
                s.members().size(),
                held,
                (int) s.singletons().values().stream()
                        .filter(x -> x.phase() == Phase.ACTIVE
                                && cluster.self().equals(x.member())
                                && !(outage != null && outage.stopped().contains(x.name())))
                        .count(),
                stats.sum(ClusterStats.RENEWALS),
                stats.value(ClusterStats.RENEWALS, "failed") + stats.value(ClusterStats.RENEWALS, "lost"),
                stats.value(ClusterStats.EXPIRED),
                stats.sum(ClusterStats.TRANSITIONS),
                s.fenceRefusals() + refusedHere(),
                activation.count(),
                activation.percentile(50),
                activation.percentile(99),
                activation.max());
    }

    /** What never reached the log; what the log refused is in the state. */
    private long refusedHere() {
        return stats.samples().stream()
                .filter(c -> c.spec().equals(ClusterStats.FENCE_REFUSED)
                        && c.labels().getLast().equals(ClusterStats.BY_THE_MEMBER))
                .mapToLong(Stats.Sample::value)
                .sum();
    }

    private static long live(ClusterState s) {
        return s.members().keySet().stream().filter(s::alive).count();
    }

    private long lag(String member) {
        return cluster.log().peers().stream()
                .filter(p -> p.member().equals(member))
                .mapToLong(Peer::lag)
                .findFirst()
                .orElse(-1);
    }

    private ClusterFigures.Member member(
            ClusterState s, LogStatus log, MemberState m, @Nullable Peer peer, @Nullable Outage outage) {
        return new ClusterFigures.Member(
                m.name(),
                state(s, m, outage),
                m.name().equals(cluster.self()),
                m.name().equals(log.leader()),
                m.witness(),
                m.address(),
                peer == null ? -1 : peer.lag(),
                Long.toHexString(m.incarnation()));
    }

    /** Of another, this member knows nothing while the cluster does not answer it. */
    private String state(ClusterState s, MemberState m, @Nullable Outage outage) {
        if (!s.alive(m.name())) {
            return "gone";
        }
        if (outage != null) {
            return m.name().equals(cluster.self()) ? "cut-off" : UNKNOWN;
        }
        return m.leaving() ? "leaving" : "live";
    }

    /** Of its own leases this member knows how long they last; of others' it guesses. */
    private List<ClusterFigures.Lease> leases() {
        Map<String, Long> held = cluster.remaining();
        Map<String, Long> guesses = cluster.estimates();
        return cluster.now().leases().values().stream()
                .filter(l -> !l.free())
                .map(l -> lease(l, held.get(l.name()), guesses.get(l.name())))
                .toList();
    }

    private static ClusterFigures.Lease lease(LeaseState l, @Nullable Long held, @Nullable Long guess) {
        Long left = held == null ? guess : held;
        return new ClusterFigures.Lease(
                l.name(),
                text(l.owner()),
                l.fence().toString(),
                left == null ? -1 : Math.max(0, left / NANOS_PER_MILLI),
                held == null && guess != null,
                l.transitions());
    }

    private ClusterFigures.Singleton singleton(SingletonState s, @Nullable Outage outage) {
        boolean here = cluster.self().equals(s.member());
        boolean stopped = outage != null && outage.stopped().contains(s.name());
        return new ClusterFigures.Singleton(
                s.name(),
                stopped ? "stopped" : outage != null && s.member() != null && !here ? UNKNOWN : word(s.phase()),
                text(s.member()),
                text(s.spec().preferred()),
                s.fence().equals(Fence.NONE) ? "" : s.fence().toString(),
                outage == null || s.member() == null ? s.reason() : outage.what() + "; before that: " + s.reason(),
                s.activationNanos());
    }

    private ClusterFigures.Timer timer(TimerState t) {
        Instant next = t.paused() ? null : cluster.next(t);
        return new ClusterFigures.Timer(
                t.id(),
                t.spec().schedule(),
                t.spec().zone(),
                t.firings() == 0 ? "" : Instant.ofEpochMilli(t.lastScheduled()).toString(),
                next == null ? "" : next.toString(),
                t.firings(),
                t.paused(),
                t.lastFailure());
    }

    /**
     * For the health view: told, and no reason not to be ready unless this member's log is dead until a restart. Without a majority
     * or a database it is down, and the server is ready all the same.
     */
    public List<Facts.Check> checks() {
        LogStatus log = cluster.log();
        String fault = cluster.fault();
        if (!fault.isEmpty()) {
            return List.of(new Facts.Check("cluster " + cluster.cluster(), false, fault));
        }
        Outage outage = cluster.outage();
        if (outage != null) {
            return List.of(new Facts.Check("cluster " + cluster.cluster(), Facts.Health.WARNING, outage.text()));
        }
        String waiting = cluster.waiting();
        String leader = log.leader() == null ? "no leader is known" : log.leader() + " leads";
        return List.of(new Facts.Check(
                "cluster " + cluster.cluster(),
                true,
                waiting.isEmpty() ? leader + ", term " + log.term() + ", entry " + log.applied() : waiting));
    }

    /** What was found damaged in the cluster's log on this disk. */
    public @Nullable Damages damages() {
        return cluster.damages();
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    private static String text(@Nullable String s) {
        return s == null ? "" : s;
    }
}
