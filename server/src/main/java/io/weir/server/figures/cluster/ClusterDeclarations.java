package io.weir.server.figures.cluster;

import io.weir.cluster.stats.ClusterStats;
import io.weir.server.figures.Figure;
import io.weir.server.figures.FigureGroup;
import io.weir.server.figures.Texts;
import io.weir.server.figures.cluster.ClusterFigures.Lease;
import io.weir.server.figures.cluster.ClusterFigures.Member;
import io.weir.server.figures.cluster.ClusterFigures.Singleton;
import io.weir.server.figures.cluster.ClusterFigures.Timer;
import io.weir.server.figures.cluster.ClusterFigures.Totals;
import java.util.List;

/** Every figure of the cluster, once: perfdump, stats-xml with its document type, JMX and docs/figures.md follow. */
public final class ClusterDeclarations {
    private static final String ACTIVATION = "Activation Time 50%/99%/Most";

    /** Figures of the whole cluster, and this member's counts. */
    public static final FigureGroup<Totals> TOTALS = new FigureGroup<>(
                    "The cluster",
                    "cluster-bucket",
                    "ClusterRuntime",
                    "ClusterInfo NAME:",
                    List.of(
                            Figure.<Totals>text("The cluster's name.", Totals::cluster)
                                    .attribute("name")
                                    .bean("Name"),
                            Figure.<Totals>text("This member's name.", Totals::member)
                                    .line("Member")
                                    .attribute("member")
                                    .bean("Member"),
                            Figure.<Totals>text("Where leases are kept.", Totals::leasing)
                                    .line("Leasing")
                                    .attribute("leasing", "local", "consensus", "database")
                                    .bean("MigrationBasis"),
                            Figure.<Totals>text(
                                            "Why the cluster does not answer this member, since when, and what stopped.",
                                            Totals::outage)
                                    .line("Outage", t -> orNone(t.outage()))
                                    .attribute("outage"),
                            Figure.<Totals>text("This member's role in the log.", Totals::role)
                                    .line("Role")
                                    .attribute("role", "leader", "follower", "candidate", "none")
                                    .bean("Role"),
                            Figure.<Totals>text("Who leads the log.", Totals::leader)
                                    .line("Leader", t -> orNone(t.leader()))
                                    .attribute("leader")
                                    .bean("Leader"),
                            Figure.<Totals>count(ClusterStats.TERM, Totals::term)
                                    .line("Term")
                                    .attribute("countTerms")
                                    .bean("Term"),
                            Figure.<Totals>count(ClusterStats.APPLIED, Totals::applied)
                                    .line("Entries Applied/Committed")
                                    .attribute("countEntriesApplied")
                                    .bean("EntriesApplied"),
                            Figure.<Totals>count("entries", "Last entry known to be committed.", Totals::committed)
                                    .line("Entries Applied/Committed")
                                    .attribute("countEntriesCommitted")
                                    .bean("EntriesCommitted"),
                            Figure.<Totals>number("members", "Members that hold their lease.", Totals::live)
                                    .line("Members Live/Known")
                                    .attribute("countMembersLive")
                                    .bean("AliveServerCount"),
                            Figure.<Totals>number("members", "Members that joined and were not removed.", Totals::known)
                                    .line("Members Live/Known")
                                    .attribute("countMembers")
                                    .bean("KnownServerCount"),
                            Figure.<Totals>number(ClusterStats.LEASES_HELD, Totals::held)
                                    .line("Leases Held Here")
                                    .attribute("countLeasesHeld")
                                    .bean("LeasesHeldCount"),
                            Figure.<Totals>number(ClusterStats.ACTIVE, Totals::active)
                                    .line("Singletons Active Here")
                                    .attribute("countSingletonsActive")
                                    .bean("ActiveSingletonsCount"),
                            Figure.<Totals>count(ClusterStats.RENEWALS, Totals::renewals)
                                    .line("Renewals/Failed")
                                    .attribute("countRenewals")
                                    .bean("RenewalsCount"),
                            Figure.<Totals>count(
                                            "batches",
                                            "Of these, those that failed or lost a lease.",
                                            Totals::renewalsFailed)
                                    .line("Renewals/Failed")
                                    .attribute("countRenewalsFailed")
                                    .bean("FailedRenewalsCount"),
                            Figure.<Totals>count(ClusterStats.EXPIRED, Totals::expired)
                                    .line("Leases Expired")
                                    .attribute("countExpired")
                                    .bean("ExpiredLeasesCount"),
                            Figure.<Totals>count(ClusterStats.TRANSITIONS, Totals::transitions)
                                    .line("Singleton Transitions Here")
                                    .attribute("countTransitions")
                                    .bean("TransitionsCount"),
                            Figure.<Totals>count(ClusterStats.FENCE_REFUSED, Totals::fenceRefusals)
                                    .line("Fence Refusals")
                                    .attribute("countFenceRefusals")
                                    .bean("FenceRefusalsCount"),
                            Figure.<Totals>count("activations", "Activations on this member.", Totals::activations)
                                    .line("Activations")
                                    .attribute("countActivations"),
                            Figure.<Totals>count(
                                            "nanoseconds",
                                            "Half of the activations took no longer.",
                                            Totals::activation50)
                                    .line(ACTIVATION, "milliseconds", t -> Texts.millis(t.activation50()))
                                    .ticks("ticksActivation50Percent"),
                            Figure.<Totals>count(
                                            "nanoseconds",
                                            "99 percent of the activations took no longer.",
                                            Totals::activation99)
                                    .line(ACTIVATION, "milliseconds", t -> Texts.millis(t.activation99()))
                                    .ticks("ticksActivation99Percent")
                                    .bean("ActivationNanos99"),
                            Figure.<Totals>count("nanoseconds", "The longest activation.", Totals::activationMax)
                                    .line(
                                            ACTIVATION,
                                            "milliseconds",
                                            t -> Texts.millis(t.activationMax()) + " milliseconds")
                                    .ticks("maxTicksActivation")
                                    .bean("ActivationNanosMax"),
                            Figure.<Totals>number(
                                            "elements", "Elements of a kind at most.", _ -> ClusterFigures.MAX_ROWS)
                                    .attribute("maxShown")))
            .writing("outage", null);

    /** A member. */
    public static final FigureGroup<Member> MEMBER = new FigureGroup<>(
                    "A member",
                    "cluster-member-bucket",
                    "ClusterMemberRuntime",
                    "ClusterMembers:",
                    List.of(
                            Figure.<Member>text("Its name.", Member::name)
                                    .column("Member")
                                    .attribute("name"),
                            Figure.<Member>text(
                                            "live, leaving or gone; cut-off (this member) and unknown (others) while it is not"
                                                    + " answered.",
                                            Member::state)
                                    .column("State")
                                    .attribute("mode", "live", "leaving", "gone", "cut-off", "unknown")
                                    .bean("State"),
                            Figure.<Member>flag("Whether it leads the log.", Member::leader)
                                    .column("Leader")
                                    .attribute("flagLeader")
                                    .bean("Leader"),
                            Figure.<Member>flag("Whether it only votes.", Member::witness)
                                    .column("Witness")
                                    .attribute("flagWitness")
                                    .bean("Witness"),
                            Figure.<Member>text("Where it is reached.", Member::address)
                                    .column("Address")
                                    .attribute("address")
                                    .bean("ListenAddress"),
                            Figure.<Member>count("entries", "Entries behind the leader; -1 unknown here.", Member::lag)
                                    .column("Lag", m -> m.lag() < 0 ? "" : Long.toString(m.lag()))
                                    .attribute("countLag")
                                    .bean("Lag"),
                            Figure.<Member>text("Which of its processes, in hexadecimal.", Member::incarnation)
                                    .column("Incarnation")
                                    .attribute("incarnation")
                                    .bean("Incarnation"),
                            Figure.<Member>flag("Whether it is this one.", Member::self)
                                    .column("Here")
                                    .attribute("flagSelf")))
            .writing("flagSelf", "flagLeader");

    /** A lease that is held. */
    public static final FigureGroup<Lease> LEASE = new FigureGroup<>(
            "A lease",
            "cluster-lease-bucket",
            "LeaseRuntime",
            "ClusterLeases:",
            List.of(
                    Figure.<Lease>text("Its name.", Lease::name).column("Lease").attribute("name"),
                    Figure.<Lease>text(
                                    "The member that holds it; unknown while this member is not answered.",
                                    Lease::owner)
                            .column("Owner")
                            .attribute("owner")
                            .bean("Owner"),
                    Figure.<Lease>text("The token it was granted with.", Lease::fence)
                            .column("Fence")
                            .attribute("fence")
                            .bean("Fence"),
                    Figure.<Lease>count(
                                    "milliseconds", "Until it ends unless renewed; -1 unknown here.", Lease::millisLeft)
                            .column("Left", ClusterDeclarations::left)
                            .attribute("millisLeft")
                            .bean("MillisLeft"),
                    Figure.<Lease>flag("Whether another holds it, and this member guesses.", Lease::estimated)
                            .attribute("flagEstimated")
                            .bean("Estimated"),
                    Figure.<Lease>count("times", "How often it changed hands.", Lease::transitions)
                            .column("Transitions")
                            .attribute("countTransitions")
                            .bean("TransitionsCount")));

    /** A singleton. */
    public static final FigureGroup<Singleton> SINGLETON = new FigureGroup<>(
            "A singleton service",
            "cluster-singleton-bucket",
            "SingletonServiceRuntime",
            "ClusterSingletons:",
            List.of(
                    Figure.<Singleton>text("Its name.", Singleton::name)
                            .column("Singleton")
                            .attribute("name"),
                    Figure.<Singleton>text("Where it is in its life.", Singleton::phase)
                            .column("Phase")
                            .attribute(
                                    "mode",
                                    "unplaced",
                                    "placed",
                                    "activating",
                                    "active",
                                    "waiting",
                                    "failed",
                                    "paused",
                                    "deactivating",
                                    "isolated",
                                    "stopped",
                                    "unknown")
                            .bean("Phase"),
                    Figure.<Singleton>text("Where it is.", Singleton::member)
                            .column("Member")
                            .attribute("member")
                            .bean("HostingServer"),
                    Figure.<Singleton>text("Where it would rather be.", Singleton::preferred)
                            .column("Preferred")
                            .attribute("preferred")
                            .bean("UserPreferredServer"),
                    Figure.<Singleton>text("The token of its activation.", Singleton::fence)
                            .column("Fence")
                            .attribute("fence")
                            .bean("Fence"),
                    Figure.<Singleton>count("nanoseconds", "What its last activation took.", Singleton::activationNanos)
                            .column(
                                    "Activation",
                                    "milliseconds",
                                    s -> s.activationNanos() == 0 ? "" : Texts.millis(s.activationNanos()) + " ms")
                            .ticks("ticksActivation")
                            .bean("ActivationNanos"),
                    Figure.<Singleton>text("Why it is there.", Singleton::reason)
                            .column("Reason")
                            .attribute("reason")
                            .bean("Reason")));

    /** A timer. */
    public static final FigureGroup<Timer> TIMER = new FigureGroup<>(
            "A timer",
            "cluster-timer-bucket",
            "TimerRuntime",
            "ClusterTimers:",
            List.of(
                    Figure.<Timer>text("Its name.", Timer::id).column("Timer").attribute("id"),
                    Figure.<Timer>text("When it fires.", Timer::schedule)
                            .column("Schedule")
                            .attribute("schedule")
                            .bean("Schedule"),
                    Figure.<Timer>text("The time zone of its schedule.", Timer::zone)
                            .column("Zone")
                            .attribute("zone"),
                    Figure.<Timer>text("The last firing's scheduled time.", Timer::last)
                            .column("Last")
                            .attribute("timeLast")
                            .bean("Last"),
                    Figure.<Timer>text("The next firing's scheduled time.", Timer::next)
                            .column("Next")
                            .attribute("timeNext")
                            .bean("Next"),
                    Figure.<Timer>count("firings", "How often it fired.", Timer::firings)
                            .column("Firings")
                            .attribute("countFirings")
                            .bean("FiringsCount"),
                    Figure.<Timer>flag("Whether it is paused.", Timer::paused)
                            .column("Paused")
                            .attribute("flagPaused")
                            .bean("Paused"),
                    Figure.<Timer>text("Why the last firing failed.", Timer::failure)
                            .column("Failure")
                            .attribute("failure")
                            .bean("Failure")));

    /** All of them, in the order of stats-xml. */
    public static final List<FigureGroup<?>> ALL = List.of(TOTALS, MEMBER, LEASE, SINGLETON, TIMER);

    private ClusterDeclarations() {}

    private static String orNone(String text) {
        return text.isEmpty() ? "none" : text;
    }

    private static String left(Lease l) {
        return l.millisLeft() < 0 ? "" : (l.estimated() ? "~" : "") + l.millisLeft() + " ms";
    }
}
