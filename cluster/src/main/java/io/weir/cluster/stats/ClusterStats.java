package io.weir.cluster.stats;

import static io.weir.base.StatSpec.counter;
import static io.weir.base.StatSpec.gauge;
import static io.weir.base.StatSpec.histogram;

import io.weir.base.StatSpec;
import io.weir.base.Stats;
import java.util.List;

/** The statistics of the cluster, declared once; times are in nanoseconds. */
public final class ClusterStats {
    /** Value of the label {@code by}: this member's guard. */
    public static final String BY_THE_MEMBER = "member";
    /** Value of the label {@code by}: the replicated state. */
    public static final String BY_THE_LOG = "log";

    // Members and their log
    public static final StatSpec MEMBERS = gauge(
            "weir_cluster_members",
            "members",
            "Members by state: live holds its lease; gone is known and holds none. While this member gets no answer"
                    + " from the cluster: cut-off, this member once its lease has ended; unknown, the others.",
            "state");
    public static final StatSpec LEADING =
            gauge("weir_cluster_leading", "members", "1 while this member leads the log, otherwise 0.");
    public static final StatSpec LEADER_KNOWN =
            gauge("weir_cluster_leader_known", "members", "1 while this member knows who leads the log, otherwise 0.");
    public static final StatSpec TERM =
            gauge("weir_cluster_term", "terms", "Term of the log's leader; it rises with each election.");
    public static final StatSpec APPLIED =
            gauge("weir_cluster_applied", "entries", "Index of the last entry of the log that this member applied.");
    public static final StatSpec LAG = gauge(
            "weir_cluster_lag",
            "entries",
            "Committed entries of the log that a peer lacks, as the leader knows it.",
            "peer");
    public static final StatSpec LEADER_CHANGES = counter(
            "weir_cluster_leader_changes_total", "changes", "Leader changes of the log that this member observed.");
    public static final StatSpec ELECTION_TIME_OUT = gauge(
            "weir_cluster_election_time_out",
            "milliseconds",
            "Minimum time that this member waits for a heartbeat of the log's leader before it becomes a candidate:"
                    + " election-time-out, or more while the machine is busy.");
    public static final StatSpec ELECTION_TIME_OUT_USUAL = gauge(
            "weir_cluster_election_time_out_usual",
            "milliseconds",
            "The same without scheduling delays: cluster.log.election-time-out.");
    public static final StatSpec STARVED = gauge(
            "weir_cluster_starved",
            "milliseconds",
            "Largest scheduling delay of this process in the last half minute, from which the election time-out is"
                    + " derived.");
    public static final StatSpec CANDIDACIES = counter(
            "weir_cluster_candidacies_total",
            "candidacies",
            "Election time-outs of this member, by the outcome of its pre-vote: stood (became a candidate), refused"
                    + " (a majority hears a leader, did not answer in time, or has a newer log).",
            "outcome");
    public static final StatSpec SUBMITTED = counter(
            "weir_cluster_submitted_total",
            "commands",
            "Commands of this member by outcome: committed, not-committed, unknown, busy (too many outstanding).",
            "outcome");
    public static final StatSpec SUBMIT_TIME = histogram(
            "weir_cluster_submit_time",
            "nanoseconds",
            "From a command's submission until it was committed and applied here.");
    public static final StatSpec REFUSED = counter(
            "weir_cluster_refused_total",
            "commands",
            "Commands of this member that the cluster's state refused, by reason: STALE_FENCE, CHANGED, LIMIT …",
            "reason");
    public static final StatSpec EVENTS_GIVEN_UP = counter(
            "weir_cluster_events_given_up_total",
            "entries",
            "Log entries whose events were not delivered individually because the member's thread lagged too far.");
    public static final StatSpec LOOP_WAITING =
            gauge("weir_cluster_loop_waiting", "tasks", "Tasks queued for the member's thread, and timers.");
    public static final StatSpec LOOP_REFUSED = counter(
            "weir_cluster_loop_refused_total",
            "tasks",
            "Tasks that the member's thread refused because its queue was full.");
    public static final StatSpec SNAPSHOTS = counter(
            "weir_cluster_snapshots_total",
            "snapshots",
            "Snapshots of the state: taken here, or installed from the leader.",
            "how");
    public static final StatSpec INTRODUCTIONS = counter(
            "weir_cluster_introductions_total",
            "introductions",
            "Introductions between members by outcome; refused: the cluster's name or secret differs, or the member's"
                    + " name is taken.",
            "outcome");
    public static final StatSpec LOG_REFUSED = counter(
            "weir_cluster_log_refused_total",
            "connections",
            "Connections refused at the port of a member's log or cache, by reason: plain, no-proof, wrong-secret,"
                    + " certificate, silent, too-long, too-many, left, declined, handshake, call. side caller: the"
                    + " peer connected to this member's port; called: it answered at another member's address.",
            "side",
            "reason");
    public static final StatSpec MEMBERSHIP_CHANGES =
            counter("weir_cluster_membership_changes_total", "changes", "Members added, removed and replaced.", "what");

    // Leases
    public static final StatSpec LEASES_HELD =
            gauge("weir_lease_held", "leases", "Leases that this member holds, including the member's lease.");
    public static final StatSpec RENEWALS = counter(
                    "weir_lease_renewals_total",
                    "renewals",
                    "Batches of renewals by outcome: renewed, lost (no longer ours), failed (no answer in time).",
                    "outcome")
            .withValues("renewed", "lost", "failed");
    public static final StatSpec RENEWAL_TIME =
            histogram("weir_lease_renewal_time", "nanoseconds", "From sending a batch of renewals until its answer.");
    public static final StatSpec ACQUIRED =
            counter("weir_lease_acquired_total", "leases", "Leases that this member acquired.");
    public static final StatSpec RELEASED =
            counter("weir_lease_released_total", "leases", "Leases that this member released.");
    public static final StatSpec EXPIRED = counter(
            "weir_lease_expired_total", "leases", "Leases that expired without a renewal, as applied by this member.");
    public static final StatSpec FENCE_REFUSED = counter(
                    "weir_cluster_fence_refused_total",
                    "refusals",
                    "Operations of this member refused because the fence was not the lease's current one, by operation (bind,"
                            + " fire, call, checkpoint, append: to the journal) and by where they were refused: on the member"
                            + " before submission to the log, or by the log. Each refusal is counted once in the cluster.",
                    "what",
                    "by")
            .withValues(BY_THE_MEMBER, BY_THE_LOG);
    public static final StatSpec LEASE_OWNER = gauge(
            "weir_lease_owner",
            "leases",
            "1 for each held lease, with its owner. While this member gets no answer from the cluster, only leases"
                    + " that it certainly holds itself, here and in the other lease series.",
            "lease",
            "owner");
    public static final StatSpec LEASE_FENCE =
            gauge("weir_lease_fence", "entries", "The counter of the fence with which a lease is held.", "lease");
    public static final StatSpec LEASE_EPOCH =
            gauge("weir_lease_fence_epoch", "epochs", "The epoch of the fence with which a lease is held.", "lease");
    public static final StatSpec LEASE_LEFT = gauge(
            "weir_lease_left",
            "nanoseconds",
            "Remaining time of a lease unless renewed. basis held: this member holds it, the value is exact. basis"
                    + " estimate: another member holds it; measured from when this member applied the last renewal."
                    + " With database leasing only held ones.",
            "lease",
            "basis");
    public static final StatSpec LEASE_TRANSITIONS =
            counter("weir_lease_transitions_total", "acquisitions", "Acquisitions of a lease by any member.", "lease");
    public static final StatSpec SERIES_LEFT_OUT = gauge(
            "weir_cluster_series_left_out",
            "things",
            "Leases and singletons beyond the first thousand of each, which are not exported as series.");
    // Singletons
    public static final StatSpec ACTIVE =
            gauge("weir_singleton_active", "singletons", "Singletons active on this member.");
    public static final StatSpec TRANSITIONS = counter(
                    "weir_singleton_transitions_total",
                    "transitions",
                    "Transitions of singletons on this member: activated, deactivated (deactivate returned or threw), failed,"
                            + " isolated; not-begun: attempts to call deactivate for which no thread could be started.",
                    "what")
            .withValues("activated", "deactivated", "failed", "isolated", "not-begun");
    public static final StatSpec ACTIVATION_TIME = histogram(
            "weir_singleton_activation_time", "nanoseconds", "Duration of activate of singletons on this member.");
    public static final StatSpec SINGLETON_PHASE = gauge(
            "weir_singleton_phase",
            "singletons",
            "1 for each singleton of the cluster, with its phase and its member (empty: none). While this member gets"
                    + " no answer from the cluster: stopped, singletons that ran here and were deactivated; unknown,"
                    + " all others.",
            "singleton",
            "member",
            "phase");
    public static final StatSpec LAST_ACTIVATION = gauge(
            "weir_singleton_last_activation",
            "nanoseconds",
            "Duration of a singleton's last activation on any member.",
            "singleton");
    public static final StatSpec DEACTIVATION_TIME = histogram(
            "weir_singleton_deactivation_time", "nanoseconds", "Duration of deactivate of singletons on this member.");
    public static final StatSpec ACTIVATION_FAILURES = counter(
                    "weir_singleton_activation_failures_total",
                    "failures",
                    "Activations that failed on this member: threw, time-out, no-class.",
                    "reason")
            .withValues("threw", "time-out", "no-class");
    public static final StatSpec ACTIVATIONS_WAITING = gauge(
            "weir_singleton_activations_waiting",
            "singletons",
            "Activations queued on this member; deactivations are never queued.");

    // Naming; calls are counted by io.weir.wire.invoke
    public static final StatSpec BINDINGS =
            gauge("weir_naming_bindings", "names", "Names bound in the replicated tree.");

    // Timers and deployments
    public static final StatSpec FIRED =
            counter("weir_timer_fired_total", "firings", "Timer firings executed by this member.", "timer");
    public static final StatSpec MISFIRED =
            counter("weir_timer_misfired_total", "firings", "Missed firings, by outcome: fired, skipped.", "what");
    public static final StatSpec FIRE_FAILED = counter(
            "weir_timer_failed_total",
            "firings",
            "Firings whose message could not be sent or whose listener threw.",
            "timer");
    public static final StatSpec DEPLOYED = counter(
                    "weir_deploy_total",
                    "deployments",
                    "Deployments on this member: deployed, redeployed, unchanged (the same again), undeployed, failed.",
                    "what")
            .withValues("deployed", "redeployed", "unchanged", "undeployed", "failed");

    public static final StatSpec UPLOADS = counter(
                    "weir_deploy_uploads_total",
                    "uploads",
                    "Archives and chunks of them uploaded to the admin listener, by outcome: taken by a deployment, refused"
                            + " (too many at once, too large, out of order), given-up (idle for a minute and replaced by"
                            + " another upload).",
                    "outcome")
            .withValues("taken", "refused", "given-up");

    // Purges of the members' caches
    public static final StatSpec PURGED =
            counter("weir_cluster_purges_total", "purges", "Purges of the cluster that this member's cache applied.");
    public static final StatSpec PURGES_MISSED = counter(
            "weir_cluster_purges_missed_total",
            "times",
            "Times that this member emptied its cache, because it had missed more purges than the cluster keeps.");
    public static final StatSpec PURGES_PENDING = gauge(
            "weir_cluster_purges_pending",
            "members",
            "Members whose caches have not applied the latest purge, as far as this member knows: those that are away,"
                    + " or cut off.");
    public static final StatSpec PURGES_AWAITED = gauge(
            "weir_cluster_purges_awaited",
            "members",
            "1 while this member, or one of its processes, has not learned yet which purges it missed before its start:"
                    + " until then it does not use its disk tier.");

    // Database leasing
    public static final StatSpec DATABASE_TIME =
            histogram("weir_cluster_database_time", "nanoseconds", "Duration of statements of the cluster's database.");
    public static final StatSpec DATABASE_FAILURES = counter(
            "weir_cluster_database_failures_total",
            "failures",
            "Statements and connections of the cluster's database that failed: connect, time-out, statement.",
            "what");

    /** All of them. */
    public static final List<StatSpec> ALL = List.of(
            MEMBERS,
            LEADING,
            LEADER_KNOWN,
            TERM,
            APPLIED,
            LAG,
            LEADER_CHANGES,
            ELECTION_TIME_OUT,
            ELECTION_TIME_OUT_USUAL,
            STARVED,
            CANDIDACIES,
            SUBMITTED,
            SUBMIT_TIME,
            SNAPSHOTS,
            REFUSED,
            EVENTS_GIVEN_UP,
            LOOP_WAITING,
            LOOP_REFUSED,
            INTRODUCTIONS,
            LOG_REFUSED,
            MEMBERSHIP_CHANGES,
            LEASES_HELD,
            RENEWALS,
            RENEWAL_TIME,
            ACQUIRED,
            RELEASED,
            EXPIRED,
            FENCE_REFUSED,
            LEASE_OWNER,
            LEASE_FENCE,
            LEASE_EPOCH,
            LEASE_LEFT,
            LEASE_TRANSITIONS,
            SERIES_LEFT_OUT,
            ACTIVE,
            SINGLETON_PHASE,
            LAST_ACTIVATION,
            TRANSITIONS,
            ACTIVATION_TIME,
            DEACTIVATION_TIME,
            ACTIVATION_FAILURES,
            ACTIVATIONS_WAITING,
            BINDINGS,
            FIRED,
            MISFIRED,
            FIRE_FAILED,
            DEPLOYED,
            UPLOADS,
            PURGED,
            PURGES_MISSED,
            PURGES_PENDING,
            PURGES_AWAITED,
            DATABASE_TIME,
            DATABASE_FAILURES);

    private ClusterStats() {}

    /** Shows the counters of a member whose labels are known from the start, as 0. */
    public static void begin(Stats stats) {
        stats.begin(ALL);
        stats.begin(RENEWALS);
        stats.begin(TRANSITIONS);
        stats.begin(ACTIVATION_FAILURES);
        for (String what : List.of("bind", "fire", "call", "checkpoint", "append")) {
            stats.begin(FENCE_REFUSED, what);
        }
        stats.histogram(RENEWAL_TIME);
        stats.histogram(ACTIVATION_TIME);
        stats.histogram(DEACTIVATION_TIME);
    }
}
