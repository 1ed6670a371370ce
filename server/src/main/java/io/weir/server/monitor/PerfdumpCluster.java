package io.weir.server.monitor;

import static io.weir.server.monitor.PerfdumpLines.number;
import static io.weir.server.monitor.PerfdumpLines.yes;

import io.weir.server.monitor.ClusterFigures.Lease;
import io.weir.server.monitor.ClusterFigures.Member;
import io.weir.server.monitor.ClusterFigures.Singleton;
import io.weir.server.monitor.ClusterFigures.Timer;
import io.weir.server.monitor.ClusterFigures.Totals;
import java.util.List;
import java.util.Locale;

/** Writes perfdump's sections of the cluster, behind those of messaging and in their style. Confined to the call. */
final class PerfdumpCluster {
    private static final double NANOS_PER_MILLI = 1e6;

    private final PerfdumpLines out;

    PerfdumpCluster(StringBuilder text) {
        this.out = new PerfdumpLines(text);
    }

    void write(ClusterFigures c) {
        totals(c.totals());
        members(c.members());
        leases(c.leases());
        singletons(c.singletons());
        timers(c.timers());
    }

    private void totals(Totals t) {
        out.title("ClusterInfo " + t.cluster() + ":", 41);
        out.line("Member", t.member());
        out.line("Leasing", t.leasing());
        out.line("Outage", t.outage().isEmpty() ? "none" : t.outage());
        out.line("Role", t.role());
        out.line("Leader", t.leader().isEmpty() ? "none" : t.leader());
        out.line("Term", t.term());
        out.line("Entries Applied/Committed", t.applied() + "/" + t.committed());
        out.line("Members Live/Known", t.live() + "/" + t.known());
        out.line("Leases Held Here", t.held());
        out.line("Singletons Active Here", t.active());
        out.line("Renewals/Failed", t.renewals() + "/" + t.renewalsFailed());
        out.line("Leases Expired", t.expired());
        out.line("Singleton Transitions Here", t.transitions());
        out.line("Fence Refusals", t.fenceRefusals());
        out.line("Activations", t.activations());
        out.line(
                "Activation Time 50%/99%/Most",
                String.format(
                        Locale.ROOT,
                        "%.3f/%.3f/%.3f milliseconds",
                        t.activation50() / NANOS_PER_MILLI,
                        t.activation99() / NANOS_PER_MILLI,
                        t.activationMax() / NANOS_PER_MILLI));
        out.blank();
    }

    private void members(List<Member> all) {
        TextTable table =
                new TextTable("Member", "State", "Leader", "Witness", "Address", "Lag", "Incarnation", "Here");
        for (Member m : ClusterFigures.shown(all)) {
            table.row(
                    m.name(),
                    m.state(),
                    yes(m.leader()),
                    yes(m.witness()),
                    m.address(),
                    m.lag() < 0 ? "" : number(m.lag()),
                    m.incarnation(),
                    yes(m.self()));
        }
        out.table("ClusterMembers:", table, all.size());
    }

    private void leases(List<Lease> all) {
        TextTable table = new TextTable("Lease", "Owner", "Fence", "Left", "Transitions");
        for (Lease l : ClusterFigures.shown(all)) {
            table.row(
                    l.name(),
                    l.owner(),
                    l.fence(),
                    l.millisLeft() < 0 ? "" : (l.estimated() ? "~" : "") + l.millisLeft() + " ms",
                    number(l.transitions()));
        }
        out.table("ClusterLeases:", table, all.size());
    }

    private void singletons(List<Singleton> all) {
        TextTable table = new TextTable("Singleton", "Phase", "Member", "Preferred", "Fence", "Activation", "Reason");
        for (Singleton s : ClusterFigures.shown(all)) {
            table.row(
                    s.name(),
                    s.phase(),
                    s.member(),
                    s.preferred(),
                    s.fence(),
                    s.activationNanos() == 0
                            ? ""
                            : String.format(Locale.ROOT, "%.3f ms", s.activationNanos() / NANOS_PER_MILLI),
                    s.reason());
        }
        out.table("ClusterSingletons:", table, all.size());
    }

    private void timers(List<Timer> all) {
        TextTable table = new TextTable("Timer", "Schedule", "Zone", "Last", "Next", "Firings", "Paused", "Failure");
        for (Timer t : ClusterFigures.shown(all)) {
            table.row(
                    t.id(),
                    t.schedule(),
                    t.zone(),
                    t.last(),
                    t.next(),
                    number(t.firings()),
                    yes(t.paused()),
                    t.failure());
        }
        out.table("ClusterTimers:", table, all.size());
    }
}
