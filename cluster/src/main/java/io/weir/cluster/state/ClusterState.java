package io.weir.cluster.state;

import io.weir.base.Fence;
import io.weir.cluster.state.bytes.StateLimits;
import io.weir.cluster.state.deployments.Deployment;
import io.weir.cluster.state.entry.Transition;
import io.weir.cluster.state.leases.LeaseState;
import io.weir.cluster.state.leases.Leases;
import io.weir.cluster.state.members.BootDelay;
import io.weir.cluster.state.members.Configuration;
import io.weir.cluster.state.members.Liveness;
import io.weir.cluster.state.members.MemberState;
import io.weir.cluster.state.naming.Binding;
import io.weir.cluster.state.purges.PurgeLog;
import io.weir.cluster.state.singletons.Checkpoint;
import io.weir.cluster.state.singletons.PlannedMoves;
import io.weir.cluster.state.singletons.SingletonState;
import io.weir.cluster.state.timers.TimerState;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The state shared by all members of a cluster, after one entry of the log. Immutable, so any thread may read it. The
 * next state is created by {@link StateMachine}; the maps are sorted by name.
 *
 * @param applied index of the last entry
 * @param epoch epoch of every fence issued from now on
 * @param tookOver index at which the log's leader took over: nothing is placed on a member whose lease was not renewed
 *     since
 * @param boot whether placement waits for members to join
 * @param fenceRefusals total number of side effects refused because of an old fence
 * @param checkpoints texts stored by singletons
 * @param configurations names defined in members' configurations, by member
 * @param purges of the members' caches
 * @param history the last {@link StateLimits#HISTORY} lines, the oldest first
 */
public record ClusterState(
        long applied,
        long epoch,
        long tookOver,
        BootDelay boot,
        long fenceRefusals,
        SortedMap<String, MemberState> members,
        SortedMap<String, LeaseState> leases,
        SortedMap<String, SingletonState> singletons,
        SortedMap<String, Binding> bindings,
        SortedMap<String, TimerState> timers,
        SortedMap<String, Deployment> deployments,
        SortedMap<String, Checkpoint> checkpoints,
        SortedMap<String, Configuration> configurations,
        PurgeLog purges,
        List<Transition> history) {
    /** Before the first entry: empty, and placement waits for the end of the boot delay. */
    public static final ClusterState EMPTY = new ClusterState(
            0,
            1,
            0,
            new BootDelay(true, 0),
            0,
            none(),
            none(),
            none(),
            none(),
            none(),
            none(),
            none(),
            none(),
            PurgeLog.EMPTY,
            List.of());

    private static <V> SortedMap<String, V> none() {
        return Collections.unmodifiableSortedMap(new TreeMap<>());
    }

    public @Nullable MemberState member(String name) {
        return members.get(name);
    }

    public @Nullable LeaseState lease(String name) {
        return leases.get(name);
    }

    public @Nullable SingletonState singleton(String name) {
        return singletons.get(name);
    }

    public @Nullable Binding binding(String path) {
        return bindings.get(path);
    }

    /** A singleton's checkpoint under a key; null if none. */
    public @Nullable String checkpoint(String singleton, String key) {
        Checkpoint c = checkpoints.get(Checkpoint.path(singleton, key));
        return c == null ? null : c.text();
    }

    /** All checkpoints of a singleton, by key. */
    public List<Checkpoint> checkpointsOf(String singleton) {
        return List.copyOf(checkpoints
                .subMap(Checkpoint.from(singleton), Checkpoint.to(singleton))
                .values());
    }

    public @Nullable TimerState timer(String id) {
        return timers.get(id);
    }

    /** Which members are alive, and on which singletons may be placed. */
    public Liveness liveness() {
        return new Liveness(members, leases, tookOver);
    }

    /** {@link Liveness#alive}. */
    public boolean alive(String name) {
        return liveness().alive(name);
    }

    /** {@link Liveness#eligible}. */
    public boolean eligible(String name) {
        return liveness().eligible(name);
    }

    /** Whether the lease is currently held with this fence: the check of every side effect. */
    public boolean current(String lease, Fence fence) {
        LeaseState l = leases.get(lease);
        return l != null && l.current(fence);
    }

    /** The lease's owner; null if it is free or unknown. */
    public @Nullable String owner(String lease) {
        LeaseState l = leases.get(lease);
        return l == null ? null : l.owner();
    }

    /** Leases that this incarnation of the member holds. */
    public Stream<LeaseState> heldBy(String member, long incarnation) {
        return leases.values().stream().filter(l -> l.heldBy(member, incarnation));
    }

    /** Whether an operator's move prevents a fail-back: the singleton's preferred server has been up since the move. */
    public boolean holds(SingletonState singleton) {
        return PlannedMoves.holds(leases, singleton);
    }

    /** Whether such a singleton exists, or existed according to the history. */
    public boolean remembers(String singleton) {
        return singletons.containsKey(singleton)
                || leases.containsKey(Leases.ofSingleton(singleton))
                || history.stream()
                        .anyMatch(t -> t.what() == Transition.What.SINGLETON
                                && t.name().equals(singleton));
    }

    /**
     * Explains why the singleton is on its member, and for every other member why it is not there; for a removed one,
     * how it was removed. One line each.
     */
    public List<String> explain(String singleton) {
        return Explanation.of(this, singleton);
    }

    /**
     * The same on a member that gets no answer from the cluster: its current knowledge of itself, and its last known
     * state, marked as such.
     */
    public List<String> explain(String singleton, CutOff member) {
        return Explanation.before(this, singleton, member);
    }
}
