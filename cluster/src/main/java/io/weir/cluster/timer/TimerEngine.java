package io.weir.cluster.timer;

import io.weir.base.Fence;
import io.weir.cluster.log.Cancellable;
import io.weir.cluster.state.ClusterState;
import io.weir.cluster.state.StateListener;
import io.weir.cluster.state.entry.Event;
import io.weir.cluster.state.leases.LeaseEvent;
import io.weir.cluster.state.leases.Leases;
import io.weir.cluster.state.timers.TimerCommand;
import io.weir.cluster.state.timers.TimerEvent;
import io.weir.cluster.state.timers.TimerSpec;
import io.weir.cluster.state.timers.TimerState;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Fires the cluster's timers while this member holds the lease {@link Leases#TIMERS}. A firing is first committed in
 * the log, with the lease's fence; only then the listener is called, once for each (id, scheduled time, fence); then
 * its completion is committed. A firing without a committed completion is repeated by the next holder, with its higher
 * fence. Firings of one timer never overlap on a member: those that fall due while one runs are handled by the misfire
 * policy.
 *
 * <p>The wall clock of this member determines which firings are due; it is checked at least every {@link #CHECK_MILLIS},
 * so that clock jumps are detected. Confined to the member's loop; lives as long as the member.
 */
public final class TimerEngine implements StateListener {
    /** Maximum interval between checks of the clock. */
    static final long CHECK_MILLIS = 5_000;
    /** Delay before an unanswered proposal is retried. */
    static final long RETRY_MILLIS = 500;

    private static final long NEVER = Long.MAX_VALUE;

    private final TimerParts parts;
    private final Misfires misfires;
    private final Map<String, Run> runs = new HashMap<>();
    /** Listeners called with an earlier fence that have not returned; their timers wait for them. */
    private final Set<Run> earlier = new HashSet<>();
    /** Timers with a proposal in flight. */
    private final Set<String> proposing = new HashSet<>();

    private final Map<String, Planned> planned = new HashMap<>();
    private Fence fence = Fence.NONE;
    private boolean ending;
    private boolean commitsStopped;
    private @Nullable Runnable quiet;
    private @Nullable Cancellable wake;

    /** A firing whose listener was called. */
    private static final class Run {
        final TimerSpec timer;
        final Firing firing;
        /** Its identifier in the state: the scheduled time, or the request's number. */
        final long number;
        /** Failure message, empty on success; null while it runs. Written by the listener's thread. */
        volatile @Nullable String outcome;

        boolean reported;

        Run(TimerSpec timer, Firing firing, long number) {
            this.timer = timer;
            this.firing = firing;
            this.number = number;
        }
    }

    /** A timer's next firing, valid while its definition and last firing are unchanged. */
    private record Planned(
            TimerSpec timer, long last, @Nullable Schedule schedule, long next) {}

    public TimerEngine(TimerParts parts) {
        this.parts = parts;
        this.misfires = new Misfires(parts.stats(), parts.log());
    }

    /**
     * Called when this member has acquired the lease: fires due timers and repeats firings without a committed
     * completion.
     */
    public void begin(Fence withFence) {
        earlier.addAll(runs.values());
        runs.clear();
        proposing.clear();
        planned.clear();
        ending = false;
        commitsStopped = false;
        quiet = null;
        fence = withFence;
        parts.log().log(TimerMessages.BEGUN, fence, parts.state().get().timers().size());
        plan();
    }

    /**
     * Stops firing.
     *
     * @param whenQuiet called once running listeners have returned and their completions are committed, or the lease is
     *     lost
     */
    public void end(Runnable whenQuiet) {
        if (fence.equals(Fence.NONE)) {
            whenQuiet.run();
            return;
        }
        ending = true;
        quiet = whenQuiet;
        plan();
    }

    /**
     * Called when the lease is being lost, so commits may no longer succeed: {@link #end} then waits only for the
     * listeners. Firings without a committed completion are repeated by the next holder.
     */
    public void stopCommitting() {
        commitsStopped = true;
        plan();
    }

    /** Interrupts running listeners. From any thread. */
    public void interrupt() {
        parts.runner().interrupt();
    }

    @Override
    public void applied(ClusterState after, List<Event> events) {
        boolean ours = events.stream().anyMatch(e -> e instanceof TimerEvent.Changed || ofLease(e));
        if (ours) {
            plan();
        }
    }

    private static boolean ofLease(Event e) {
        return e instanceof LeaseEvent.Ended l && l.lease().equals(Leases.TIMERS);
    }

    @Override
    public void restored(ClusterState now) {
        plan();
    }

    /** Checks every timer, performs due actions, and sleeps until the next one. */
    private void plan() {
        if (fence.equals(Fence.NONE)) {
            return;
        }
        earlier.removeIf(r -> r.outcome != null);
        ClusterState now = parts.state().get();
        if (!now.current(Leases.TIMERS, fence)) {
            lost();
            return;
        }
        long millis = parts.loop().clock().millis();
        long next = millis + CHECK_MILLIS;
        for (Run r : List.copyOf(runs.values())) {
            finish(r, now.timer(r.timer.id()));
        }
        if (ending
                && (runs.isEmpty() || (commitsStopped && runs.values().stream().allMatch(r -> r.outcome != null)))) {
            lost();
            return;
        }
        for (TimerState t : now.timers().values()) {
            next = Math.min(next, ending ? NEVER : step(t, millis));
        }
        planned.keySet().retainAll(now.timers().keySet());
        sleep(next - millis);
    }

    private void sleep(long millis) {
        if (wake != null) {
            wake.cancel();
        }
        wake = parts.loop().after(TimeUnit.MILLISECONDS.toNanos(Math.max(1, millis)), this::plan);
    }

    /**
     * The lease is no longer held with this fence, or soon will not be: completions of running firings cannot be
     * committed.
     */
    private void lost() {
        earlier.addAll(runs.values());
        runs.clear();
        ended();
    }

    private void ended() {
        parts.log().log(TimerMessages.ENDED, fence);
        fence = Fence.NONE;
        if (wake != null) {
            wake.cancel();
            wake = null;
        }
        Runnable callback = quiet;
        quiet = null;
        if (callback != null) {
            callback.run();
        }
    }

    /** Performs the timer's due action. Returns when to check again, in milliseconds of the wall clock. */
    private long step(TimerState t, long now) {
        if (runs.containsKey(t.id()) || proposing.contains(t.id()) || runsWithEarlierFence(t.id())) {
            return NEVER;
        }
        if (t.requestOpen()) {
            fireOrRun(t, t.requested(), t.requestedAt(), t.requestedFence(), true);
            return NEVER;
        }
        if (!t.done()) {
            fireOrRun(t, t.lastScheduled(), t.lastScheduled(), t.lastFence(), false);
            return NEVER;
        }
        return t.paused() ? NEVER : due(t, now);
    }

    private boolean runsWithEarlierFence(String id) {
        return earlier.stream().anyMatch(r -> r.timer.id().equals(id));
    }

    /**
     * An open firing: if committed with this member's fence it runs now; with another fence or none it is first
     * committed with this member's.
     */
    private void fireOrRun(TimerState t, long number, long time, Fence with, boolean requested) {
        if (with.equals(fence)) {
            run(t, number, time, requested);
            return;
        }
        if (!with.equals(Fence.NONE)) {
            parts.log().log(TimerMessages.REPEATED, t.id(), Instant.ofEpochMilli(time), fence, with);
        }
        propose(t.id(), new TimerCommand.Fire(t.id(), number, fence, requested));
    }

    private long due(TimerState t, long now) {
        Planned p = planned(t);
        if (p.schedule() == null || p.next() > now) {
            return p.next();
        }
        Misfires.Decision d = misfires.decide(t, p.schedule(), Instant.ofEpochMilli(now));
        propose(
                t.id(),
                d.fires()
                        ? new TimerCommand.Fire(t.id(), d.at().toEpochMilli(), fence, false)
                        : new TimerCommand.Skip(t.id(), d.at().toEpochMilli(), fence));
        return NEVER;
    }

    private Planned planned(TimerState t) {
        Planned p = planned.get(t.id());
        if (p == null || !p.timer().equals(t.spec()) || p.last() != t.lastScheduled()) {
            misfires.known(t.id());
            p = replan(t, p);
            planned.put(t.id(), p);
        }
        return p;
    }

    private Planned replan(TimerState t, @Nullable Planned before) {
        Schedule schedule = before != null && before.timer().equals(t.spec()) ? before.schedule() : parsed(t);
        long next = schedule == null
                ? NEVER
                : schedule.next(Instant.ofEpochMilli(t.lastScheduled()))
                        .map(Instant::toEpochMilli)
                        .orElse(NEVER);
        return new Planned(t.spec(), t.lastScheduled(), schedule, next);
    }

    private @Nullable Schedule parsed(TimerState t) {
        try {
            return Schedule.parse(t.spec().schedule(), t.spec().zone());
        } catch (IllegalArgumentException e) {
            parts.log().log(TimerMessages.NO_SCHEDULE, t.id(), String.valueOf(e.getMessage()));
            return null;
        }
    }

    private void run(TimerState t, long number, long time, boolean requested) {
        if (!parts.admits().test(fence)) {
            return;
        }
        Run r = new Run(t.spec(), new Firing(t.id(), Instant.ofEpochMilli(time), fence, requested), number);
        runs.put(t.id(), r);
        parts.log().log(TimerMessages.FIRED, t.id(), r.firing.scheduled(), fence);
        parts.runner().run(t.spec(), r.firing, outcome -> {
            r.outcome = outcome;
            try {
                parts.loop().deliver(this::plan);
            } catch (java.util.concurrent.RejectedExecutionException ended) {
                // the result is no longer needed
            }
        });
    }

    /** Commits the completion of a firing whose listener has returned, retrying until the state contains it. */
    private void finish(Run r, @Nullable TimerState t) {
        String outcome = r.outcome;
        if (outcome == null || proposing.contains(r.timer.id())) {
            return;
        }
        if (outcome.equals(TimerRunner.NOT_DONE)) {
            // repeated in this check if the fence is still current, otherwise by the next holder
            runs.remove(r.timer.id());
            return;
        }
        if (!r.reported) {
            r.reported = true;
            reportOutcome(r, outcome);
        }
        if (t == null || !open(t, r)) {
            runs.remove(r.timer.id());
            return;
        }
        Firing f = r.firing;
        propose(f.id(), new TimerCommand.FireDone(f.id(), r.number, f.fence(), f.requested(), Misfires.cut(outcome)));
    }

    private void reportOutcome(Run r, String outcome) {
        misfires.fired(r.timer.id(), outcome.isEmpty());
        if (!outcome.isEmpty()) {
            parts.log().log(TimerMessages.FAILED, r.timer.id(), r.firing.scheduled(), outcome);
        }
    }

    private static boolean open(TimerState t, Run r) {
        Firing f = r.firing;
        return f.requested()
                ? t.requestOpen()
                        && t.requested() == r.number
                        && t.requestedFence().equals(f.fence())
                : !t.done() && t.lastScheduled() == r.number && t.lastFence().equals(f.fence());
    }

    private void propose(String id, TimerCommand command) {
        Fence with = fence;
        proposing.add(id);
        var _ = parts.proposer().get().propose(command).whenComplete((answer, fault) -> {
            if (!with.equals(fence)) {
                return;
            }
            proposing.remove(id);
            if (fault != null || !answer.accepted()) {
                // the outcome is unknown, or the state changed: the next check reads it
                sleep(RETRY_MILLIS);
            } else {
                plan();
            }
        });
    }
}
