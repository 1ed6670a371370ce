package io.weir.cluster.state;

import io.weir.base.Fence;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** The next state while one entry is applied: tables, events and lines of history. Confined to that application. */
final class Draft {
    final long index;
    final Table<MemberState> members;
    final Table<LeaseState> leases;
    final Table<SingletonState> singletons;
    final Table<Binding> bindings;
    final Table<TimerState> timers;
    final Table<Deployment> deployments;
    final Table<Checkpoint> checkpoints;
    final Table<Configuration> configurations;
    long epoch;
    long tookOver;
    BootDelay boot;

    private final String by;
    private final long atMillis;
    private final List<Transition> history;
    private final List<Transition> lines = new ArrayList<>();
    private final List<Event> events = new ArrayList<>();
    private long fenceRefusals;

    Draft(ClusterState before, long index, String by, long atMillis) {
        this.index = index;
        this.by = by;
        this.atMillis = atMillis;
        members = new Table<>(before.members());
        leases = new Table<>(before.leases());
        singletons = new Table<>(before.singletons());
        bindings = new Table<>(before.bindings());
        timers = new Table<>(before.timers());
        deployments = new Table<>(before.deployments());
        checkpoints = new Table<>(before.checkpoints());
        configurations = new Table<>(before.configurations());
        epoch = before.epoch();
        tookOver = before.tookOver();
        boot = before.boot();
        fenceRefusals = before.fenceRefusals();
        history = before.history();
    }

    /** What it has come to; not to be kept beyond the next change. */
    ClusterState peek() {
        return peek(singletons.view());
    }

    /** The same, with these singletons. */
    ClusterState peek(SortedMap<String, SingletonState> with) {
        return new ClusterState(
                index,
                epoch,
                tookOver,
                boot,
                fenceRefusals,
                members.view(),
                leases.view(),
                with,
                bindings.view(),
                timers.view(),
                deployments.view(),
                checkpoints.view(),
                configurations.view(),
                history);
    }

    Applied done(Answer answer) {
        ClusterState after = new ClusterState(
                index,
                epoch,
                tookOver,
                boot,
                fenceRefusals,
                members.done(),
                leases.done(),
                singletons.done(),
                bindings.done(),
                timers.done(),
                deployments.done(),
                checkpoints.done(),
                configurations.done(),
                written());
        return new Applied(after, answer, events);
    }

    private List<Transition> written() {
        if (lines.isEmpty()) {
            return history;
        }
        List<Transition> all = new ArrayList<>(history);
        all.addAll(lines);
        int over = Math.max(0, all.size() - Limits.HISTORY);
        return List.copyOf(all.subList(over, all.size()));
    }

    void tell(Event event) {
        events.add(event);
    }

    /** Writes a line of history. */
    void record(Transition.What what, String name, String from, String to, Fence fence, String reason) {
        Transition t = new Transition(index, what, name, from, to, fence, cut(reason), by, atMillis);
        lines.add(t);
        tell(new Event.Recorded(t));
    }

    /** The refusal of a side effect for its fence, counted; null when the fence is the current one. */
    @Nullable
    Answer fenced(String lease, Fence offered, String what) {
        LeaseState l = leases.get(lease);
        if (l != null && l.current(offered)) {
            return null;
        }
        Fence current = l == null ? Fence.NONE : l.fence();
        fenceRefusals++;
        tell(new Event.FenceRefused(lease, offered, current, what, by));
        String state = l == null || l.free() ? "nobody holds it; its last fence was " : "it is held with ";
        return refused(
                Refusal.STALE_FENCE, what + " with fence " + offered + " of lease " + lease + ": " + state + current);
    }

    Answer ok() {
        return new Answer.Done(index);
    }

    static Answer refused(Refusal reason, String text) {
        return new Answer.Refused(reason, cut(text));
    }

    static Answer unknown(String kind, String name) {
        return refused(Refusal.UNKNOWN_NAME, "there is no " + kind + " " + name);
    }

    static Answer full(String what, int limit) {
        return refused(Refusal.LIMIT, "there are " + limit + " " + what + " already, and no more may be");
    }

    private static String cut(String text) {
        return text.length() <= Limits.REASON ? text : text.substring(0, Limits.REASON);
    }
}
