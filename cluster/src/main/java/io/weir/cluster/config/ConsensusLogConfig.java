package io.weir.cluster.config;

import io.weir.base.Knob;
import java.time.Duration;

/** The section {@code cluster.log}: how the members' log of decisions is kept. Immutable. */
public record ConsensusLogConfig(
        @Knob(
                doc = "How long members wait for a heartbeat of their leader before they elect another; each waits a"
                        + " random time up to twice as long. Raise it when leaders change although no member"
                        + " failed: garbage collection or a busy machine then causes longer pauses. Each"
                        + " election delays decisions, including lease renewals, by about twice its value. Rule"
                        + " of thumb: ten times the round trip between members, and longer than the longest"
                        + " pause of a member.",
                value = "500ms",
                min = "100ms",
                max = "1m",
                watch = {"weir_cluster_leader_changes_total", "weir_cluster_term"},
                knownAs = "LeaderHeartbeatPeriod")
        Duration electionTimeOut,

        @Knob(
                doc = "Upper bound of the election time-out on a busy machine: the time-out adapts to the scheduling"
                        + " delay of this process, from election-time-out up to this. 0 is a third of"
                        + " cluster.lease.time-to-live, at most eight times election-time-out, so that an election fits"
                        + " into a lease. With twice election-time-out or less it does not adapt."
                        + " Rule of thumb: 0.",
                value = "0s",
                max = "2m",
                watch = {"weir_cluster_election_time_out_seconds", "weir_cluster_leader_changes_total"})
        Duration longestElectionTimeOut,

        @Knob(
                doc = "How long a command waits to be committed before its outcome is reported as"
                        + " unknown. Raise it when commands end unknown while elections or slow disks"
                        + " delay them; lower it to know sooner. It costs waiting callers. Rule of thumb:"
                        + " several times log.election-time-out.",
                value = "5s",
                min = "100ms",
                max = "5m",
                watch = {"weir_cluster_submit_time_seconds", "weir_cluster_submitted_total"},
                knownAs = "MessageDeliveryTimeout")
        Duration submitTimeOut,

        @Knob(
                doc = "Maximum number of this member's commands waiting to be committed; further ones"
                        + " are refused immediately. Raise it when commands are refused in bursts; lower"
                        + " it when they wait too long, because a longer queue only adds delay. Each costs"
                        + " its memory. Rule of thumb: the commands that are committed in submit-time-out.",
                value = "1000",
                unit = "commands",
                min = "1",
                max = "100000",
                watch = "weir_cluster_submitted_total")
        int maxOutstanding,

        @Knob(
                doc = "Number of entries after which the state is written as a snapshot and older entries are"
                        + " dropped. A lower value speeds up restarts and joins of new members, and costs writes."
                        + " Rule of thumb: the default.",
                value = "10000",
                unit = "entries",
                min = "10",
                max = "10000000",
                watch = {"weir_cluster_applied", "weir_cluster_snapshots_total"})
        long snapshotEvery,

        @Knob(
                doc = "Waits for the disk at each entry. Off is for tests: after a power failure a member may have"
                        + " lost its votes.",
                value = "on",
                watch = "weir_cluster_submit_time_seconds")
        boolean sync) {}
