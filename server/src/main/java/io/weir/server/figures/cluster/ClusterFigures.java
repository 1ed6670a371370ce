package io.weir.server.figures.cluster;

import java.util.List;

/**
 * The cluster at one moment, as this member knows it, without calls to others. Immutable.
 *
 * @param members all that joined and were not removed, by name
 * @param leases those that are held, by name
 * @param singletons by name
 * @param timers by name
 */
public record ClusterFigures(
        Totals totals, List<Member> members, List<Lease> leases, List<Singleton> singletons, List<Timer> timers) {
    /** Maximum number of rows of a table, and of elements of a kind. */
    public static final int MAX_ROWS = 1000;

    /**
     * Figures of the whole cluster, and this member's counts since its start; times in nanoseconds.
     *
     * @param member this one
     * @param leasing local, consensus or database
     * @param outage why the cluster does not answer this member, since when, and what stopped; empty while it does
     * @param role this member's in the log: leader, follower, candidate, none
     * @param leader name of the log's leader; empty while none is known
     * @param live members that hold their lease; while the cluster does not answer this member only itself, as long as
     * it does
     * @param held leases that this member holds
     * @param active singletons that are active on this member
     * @param fenceRefusals what was refused for an older fence: by the log in the whole cluster, ever, and by this
     * member since     its start
     */
    public record Totals(
            String cluster,
            String member,
            String leasing,
            String outage,
            String role,
            String leader,
            long term,
            long applied,
            long committed,
            int live,
            int known,
            int held,
            int active,
            long renewals,
            long renewalsFailed,
            long expired,
            long transitions,
            long fenceRefusals,
            long activations,
            long activation50,
            long activation99,
            long activationMax) {}

    /**
     * A member.
     *
     * @param state live, leaving or gone; while the cluster does not answer this member cut-off of itself, unknown of
     * others
     * @param self whether it is this one
     * @param leader whether it leads the log
     * @param lag entries that it is behind the leader; -1 if unknown here
     * @param incarnation of its process, in hexadecimal
     */
    public record Member(
            String name,
            String state,
            boolean self,
            boolean leader,
            boolean witness,
            String address,
            long lag,
            String incarnation) {}

    /**
     * A lease that is held.
     *
     * @param owner unknown while the cluster does not answer this member, unless it certainly holds the lease itself
     * @param fence empty if the owner is unknown
     * @param millisLeft until it ends unless renewed; -1 if this member neither holds it nor sees its renewals
     * @param estimated whether another holds it, and this member counts from when it applied the last renewal
     * @param transitions how often it changed hands
     */
    public record Lease(
            String name, String owner, String fence, long millisLeft, boolean estimated, long transitions) {}

    /**
     * A singleton.
     *
     * @param phase unplaced, placed, activating, active, waiting, failed or paused; while the cluster does not answer
     * this member stopped if it was active here and is not, unknown if it was elsewhere or nowhere
     * @param member where it is, or last was if that is unknown; empty if nowhere
     * @param fence empty unless it is active or being activated, as far as that is known
     * @param activationNanos what its last activation took
     */
    public record Singleton(
            String name,
            String phase,
            String member,
            String preferred,
            String fence,
            String reason,
            long activationNanos) {}

    /**
     * A timer.
     *
     * @param last scheduled time of the last firing, ISO-8601; empty before the first
     * @param next scheduled time of the next firing; empty if there is none, unknown while the cluster does not answer
     * this member
     */
    public record Timer(
            String id,
            String schedule,
            String zone,
            String last,
            String next,
            long firings,
            boolean paused,
            String failure) {}

    /** At most {@link #MAX_ROWS} rows. */
    public static <T> List<T> shown(List<T> rows) {
        return rows.subList(0, Math.min(MAX_ROWS, rows.size()));
    }
}
