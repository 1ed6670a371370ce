package io.weir.server.cluster;

import io.weir.base.Fence;
import io.weir.base.Histogram;
import io.weir.base.Stats;
import io.weir.cluster.log.LogStatus;
import io.weir.cluster.log.LogStatus.Peer;
import io.weir.cluster.state.ClusterState;
import io.weir.cluster.state.CutOff;
import io.weir.cluster.state.leases.LeaseState;
import io.weir.cluster.state.leases.Leases;
import io.weir.cluster.state.members.MemberState;
import io.weir.cluster.state.singletons.SingletonState;
import io.weir.cluster.state.timers.TimerState;
import io.weir.cluster.stats.ClusterStats;
import io.weir.journal.damage.Damages;
import io.weir.server.figures.cluster.ClusterFigures;
import io.weir.server.monitor.source.Facts;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The cluster's figures for the monitoring views, as this member knows them, without calls to others. Shared. */
public final class ClusterFacts {
    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final String LIVE = "live";
    private static final String GONE = "gone";
    private static final String UNKNOWN = CutOff.UNKNOWN;
    /** This member's own state while the cluster does not answer it. */
    private static final String CUT_OFF = "cut-off";

    private final ClusterAccess cluster;
    private final Stats stats;
    private final ClusterSeries series;

    public ClusterFacts(ClusterAccess cluster, Stats stats) {
        this.cluster = cluster;
        this.stats = stats;
        this.series = new ClusterSeries(stats);
        for (String state : new String[] {LIVE, GONE, UNKNOWN, CUT_OFF}) {
            stats.gauge(ClusterStats.MEMBERS, () -> members(state), state);
        }
        stats.gauge(ClusterStats.LEADING, () -> cluster.log().leading() ? 1 : 0);
        stats.gauge(ClusterStats.LEADER_KNOWN, () -> cluster.log().leader() == null ? 0 : 1);
        stats.gauge(ClusterStats.TERM, () -> cluster.log().term());
        stats.gauge(ClusterStats.APPLIED, () -> cluster.log().applied());
        stats.gauge(ClusterStats.BINDINGS, () -> cluster.now().bindings().size());
    }

    /** Refreshes the statistics of the current peers, leases and singletons; to be called periodically. */
    public void refresh() {
        ClusterFigures now = figures();
        series.show(cluster.now(), now.leases(), now.singletons());
        for (Peer p : cluster.log().peers()) {
            stats.gauge(ClusterStats.LAG, () -> lag(p.member()), p.member());
        }
    }

    /**
     * How long this member waits for the log's leader, and why if that is longer than usual; empty without elections.
     */
    String elections() {
        long timeOut = stats.value(ClusterStats.ELECTION_TIME_OUT);
        if (timeOut == 0) {
            return "";
        }
        long usual = stats.value(ClusterStats.ELECTION_TIME_OUT_USUAL);
        return timeOut <= usual
                ? timeOut + " ms"
                : timeOut + " ms instead of " + usual + ": this process is scheduled up to "
                        + stats.value(ClusterStats.STARVED) + " ms late";
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
                leases(s, outage),
                s.singletons().values().stream().map(x -> singleton(x, outage)).toList(),
                s.timers().values().stream().map(t -> timer(t, outage)).toList());
    }

    private ClusterFigures.Totals totals(ClusterState s, LogStatus log, int held, @Nullable Outage outage) {
        Histogram activation = stats.histogram(ClusterStats.ACTIVATION_TIME);
        return new ClusterFigures.Totals(
                cluster.cluster(),
                cluster.self(),
                cluster.leasing(),
                outage == null ? "" : outage.text(),
                word(log.role()),
                text(log.leader()),
                log.term(),
                log.applied(),
                log.committed(),
                (int) live(s, outage),
                s.members().size(),
                held,
                (int) s.singletons().values().stream()
                        .filter(x -> cluster.self().equals(x.member())
                                && phase(x, outage).equals("active"))
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

    /** Refusals that never reached the log; those of the log are in the state. */
    private long refusedHere() {
        return stats.samples().stream()
                .filter(c -> c.spec().equals(ClusterStats.FENCE_REFUSED)
                        && c.labels().getLast().equals(ClusterStats.BY_THE_MEMBER))
                .mapToLong(Stats.Sample::value)
                .sum();
    }

    private long members(String state) {
        ClusterState s = cluster.now();
        Outage outage = cluster.outage();
        long live = live(s, outage);
        long unknown = outage == null
                ? 0
                : s.members().keySet().stream()
                        .filter(m -> !m.equals(cluster.self()))
                        .count();
        return switch (state) {
            case LIVE -> live;
            case UNKNOWN -> unknown;
            // of the others, only this member itself can be known to be outside the cluster for now
            case CUT_OFF -> outage == null ? 0 : s.members().size() - live - unknown;
            default -> outage == null ? s.members().size() - live : 0;
        };
    }

    /**
     * The number of members that hold their lease. While the cluster does not answer this member, it knows only its
     * own.
     */
    private long live(ClusterState s, @Nullable Outage outage) {
        if (outage == null) {
            return s.members().keySet().stream().filter(s::alive).count();
        }
        return s.member(cluster.self()) != null && surely(Leases.ofMember(cluster.self()), cluster.remaining()) ? 1 : 0;
    }

    private static boolean surely(String lease, Map<String, Long> held) {
        return held.getOrDefault(lease, 0L) > 0;
    }

    /** Whether this member certainly holds the lease at this moment. */
    boolean holds(String lease) {
        return surely(lease, cluster.remaining());
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

    /** A member's state; of others this member knows nothing while the cluster does not answer it. */
    private String state(ClusterState s, MemberState m, @Nullable Outage outage) {
        if (outage != null) {
            return m.name().equals(cluster.self()) ? CUT_OFF : UNKNOWN;
        }
        if (!s.alive(m.name())) {
            return GONE;
        }
        return m.leaving() ? "leaving" : LIVE;
    }

    /** The leases of the state, for callers that know that it is current. */
    List<ClusterFigures.Lease> currentLeases() {
        return leases(cluster.now(), null);
    }

    /** The leases: this member knows how long its own last, and estimates others' while the cluster answers it. */
    private List<ClusterFigures.Lease> leases(ClusterState s, @Nullable Outage outage) {
        Map<String, Long> held = cluster.remaining();
        Map<String, Long> guesses = cluster.estimates();
        return s.leases().values().stream()
                .filter(l -> !l.free())
                .map(l -> outage == null || surely(l.name(), held)
                        ? lease(l, held.get(l.name()), guesses.get(l.name()))
                        : new ClusterFigures.Lease(l.name(), UNKNOWN, "", -1, false, l.transitions()))
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
        boolean known = outage == null
                || (cluster.self().equals(s.member()) && outage.here().containsKey(s.name()));
        return new ClusterFigures.Singleton(
                s.name(),
                phase(s, outage),
                text(s.member()),
                text(s.spec().preferred()),
                s.fence().equals(Fence.NONE) || !known ? "" : s.fence().toString(),
                outage == null ? s.reason() : outage.what() + "; before that: " + s.reason(),
                s.activationNanos());
    }

    private String phase(SingletonState s, @Nullable Outage outage) {
        return outage == null ? word(s.phase()) : outage.phase(s, cluster.self());
    }

    private ClusterFigures.Timer timer(TimerState t, @Nullable Outage outage) {
        Instant next = t.paused() ? null : cluster.next(t);
        return new ClusterFigures.Timer(
                t.id(),
                t.spec().schedule(),
                t.spec().zone(),
                t.firings() == 0 ? "" : Instant.ofEpochMilli(t.lastFired()).toString(),
                next == null ? "" : outage == null ? next.toString() : UNKNOWN,
                t.firings(),
                t.paused(),
                t.lastFailure());
    }

    /**
     * For the health view: a warning, which leaves the server ready unless this member's log is dead until a restart.
     * Without a majority or a database the check is down, but the server is still ready.
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
        if (!waiting.isEmpty()) {
            return List.of(
                    new Facts.Check("cluster " + cluster.cluster(), Facts.Health.WARNING, "waiting: " + waiting));
        }
        String leader = log.leader() == null ? "no leader is known" : log.leader() + " leads";
        return List.of(new Facts.Check(
                "cluster " + cluster.cluster(), true, leader + ", term " + log.term() + ", entry " + log.applied()));
    }

    /** Damage found in the cluster's log on this disk. */
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
