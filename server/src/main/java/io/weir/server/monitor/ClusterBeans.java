package io.weir.server.monitor;

import io.weir.server.monitor.ClusterFigures.Lease;
import io.weir.server.monitor.ClusterFigures.Member;
import io.weir.server.monitor.ClusterFigures.Singleton;
import io.weir.server.monitor.ClusterFigures.Timer;
import io.weir.server.monitor.ClusterFigures.Totals;
import io.weir.server.monitor.MessagingBeans.Name;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The cluster as beans with WebLogic's attribute names where Weir has the figure; they show what the latest refresh found.
 * Shared: refreshed by the admin loop, read by the threads of JMX.
 */
final class ClusterBeans {
    private volatile @Nullable ClusterFigures latest;
    private volatile Map<String, Member> members = Map.of();
    private volatile Map<String, Lease> leases = Map.of();
    private volatile Map<String, Singleton> singletons = Map.of();
    private volatile Map<String, Timer> timers = Map.of();

    /** Takes the figures over and says which beans there are now; a bounded number. */
    Map<Name, Supplier<ReadOnlyBean>> refresh(@Nullable ClusterFigures now) {
        latest = now;
        Map<Name, Supplier<ReadOnlyBean>> beans = new LinkedHashMap<>();
        if (now == null) {
            return beans;
        }
        members = byName(now.members(), Member::name);
        leases = byName(now.leases(), Lease::name);
        singletons = byName(now.singletons(), Singleton::name);
        timers = byName(now.timers(), Timer::id);
        beans.put(new Name("ClusterRuntime", "cluster"), this::totals);
        members.keySet().forEach(n -> beans.put(new Name("ClusterMemberRuntime", n), () -> member(n)));
        leases.keySet().forEach(n -> beans.put(new Name("LeaseRuntime", n), () -> lease(n)));
        singletons.keySet().forEach(n -> beans.put(new Name("SingletonServiceRuntime", n), () -> singleton(n)));
        timers.keySet().forEach(n -> beans.put(new Name("TimerRuntime", n), () -> timer(n)));
        return beans;
    }

    private static <T> Map<String, T> byName(List<T> all, Function<T, String> name) {
        Map<String, T> map = new LinkedHashMap<>();
        ClusterFigures.shown(all).forEach(t -> map.put(name.apply(t), t));
        return map;
    }

    private ReadOnlyBean totals() {
        return new FigureBean<Totals>("The cluster", () -> {
                    ClusterFigures c = latest;
                    return c == null ? null : c.totals();
                })
                .text("Name", "The cluster's name.", Totals::cluster)
                .text("Member", "This member's name.", Totals::member)
                .text("MigrationBasis", "Where leases are kept.", Totals::leasing)
                .text("Role", "This member's role in the log.", Totals::role)
                .text("Leader", "Who leads the log.", Totals::leader)
                .count("Term", "The leader's term.", Totals::term)
                .count("EntriesApplied", "Last entry applied here.", Totals::applied)
                .count("EntriesCommitted", "Last entry known to be committed.", Totals::committed)
                .number("AliveServerCount", "Members that hold their lease.", Totals::live)
                .number("KnownServerCount", "Members that joined and were not removed.", Totals::known)
                .number("LeasesHeldCount", "Leases that this member holds.", Totals::held)
                .number("ActiveSingletonsCount", "Singletons active on this member.", Totals::active)
                .count("RenewalsCount", "Batches of renewals.", Totals::renewals)
                .count("FailedRenewalsCount", "Batches that failed or lost a lease.", Totals::renewalsFailed)
                .count("ExpiredLeasesCount", "Leases that ran out.", Totals::expired)
                .count("TransitionsCount", "Transitions of singletons on this member.", Totals::transitions)
                .count("FenceRefusalsCount", "What was refused for an older fence.", Totals::fenceRefusals)
                .count("ActivationNanos99", "99 percent of activations took no longer.", Totals::activation99)
                .count("ActivationNanosMax", "The longest activation.", Totals::activationMax);
    }

    private ReadOnlyBean member(String name) {
        return new FigureBean<Member>("Member " + name, () -> members.get(name))
                .text(
                        "State",
                        "live, leaving or gone; cut-off (this member) and unknown (others) while it is not answered.",
                        Member::state)
                .flag("Leader", "Whether it leads the log.", Member::leader)
                .flag("Witness", "Whether it only votes.", Member::witness)
                .text("ListenAddress", "Where it is reached.", Member::address)
                .count("Lag", "Entries behind the leader; -1 unknown here.", Member::lag)
                .text("Incarnation", "Which of its processes.", Member::incarnation);
    }

    private ReadOnlyBean lease(String name) {
        return new FigureBean<Lease>("Lease " + name, () -> leases.get(name))
                .text("Owner", "The member that holds it; unknown while this member is not answered.", Lease::owner)
                .text("Fence", "The token it was granted with.", Lease::fence)
                .count("MillisLeft", "Until it ends unless renewed; -1 unknown here.", Lease::millisLeft)
                .flag("Estimated", "Whether another holds it, and this member guesses.", Lease::estimated)
                .count("TransitionsCount", "How often it changed hands.", Lease::transitions);
    }

    private ReadOnlyBean singleton(String name) {
        return new FigureBean<Singleton>("Singleton " + name, () -> singletons.get(name))
                .text("Phase", "Where it is in its life.", Singleton::phase)
                .text("HostingServer", "Where it is.", Singleton::member)
                .text("UserPreferredServer", "Where it would rather be.", Singleton::preferred)
                .text("Fence", "The token of its activation.", Singleton::fence)
                .text("Reason", "Why it is there.", Singleton::reason)
                .count("ActivationNanos", "What its last activation took.", Singleton::activationNanos);
    }

    private ReadOnlyBean timer(String name) {
        return new FigureBean<Timer>("Timer " + name, () -> timers.get(name))
                .text("Schedule", "When it fires.", Timer::schedule)
                .text("Last", "The last firing's scheduled time.", Timer::last)
                .text("Next", "The next firing's scheduled time.", Timer::next)
                .count("FiringsCount", "How often it fired.", Timer::firings)
                .flag("Paused", "Whether it is paused.", Timer::paused)
                .text("Failure", "Why the last firing failed.", Timer::failure);
    }
}
