package io.weir.cluster.singleton;

import io.weir.base.Durations;
import io.weir.base.Fence;
import io.weir.cluster.lease.FutureOutcome;
import io.weir.cluster.lease.Grant;
import io.weir.cluster.lease.Held;
import io.weir.cluster.lease.LeaseRenewer;
import io.weir.cluster.log.Cancellable;
import io.weir.cluster.state.ClusterState;
import io.weir.cluster.state.singletons.SingletonCommand;
import io.weir.cluster.state.singletons.SingletonSpec;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One singleton on this member: the state machine from its placement here until none of its code runs and no lease is
 * held. Confined to the member's loop; lives as long as the controller.
 *
 * <h2>Design</h2>
 *
 * The log decides where a singleton runs; this class only implements the decision on this member. Each member applies
 * the same entries, so each derives its own duty ({@link LocalDuty}): acquire what is placed here and free, run what is
 * held and should run here, stop and release what is held and should not. No action depends on a particular event: an
 * event, a time-out and the periodic check all call {@link #step}, which compares the duty with the
 * {@link SingletonStage} and takes the next step. So a lost, late or repeated event has no effect, and failed actions
 * are retried by the next check.
 *
 * <p>Placement alone permits nothing. A lease does: for a time, measured on this member, no other member holds it. And
 * since a process may be paused for longer than any lease and continue between two instructions, time alone is not
 * sufficient either: each lease has a fence, a number higher than any before, which is checked where a side effect
 * takes place.
 *
 * <h2>Invariants</h2>
 *
 * <ul>
 *   <li><b>One call at a time.</b> At most one of {@code activate} and {@code deactivate} runs; the next is started
 *       when the last has returned, however long that takes.
 *   <li><b>No fence is activated twice</b> ({@link #last}): a duplicate answer, or a lease that was granted to an
 *       abandoned attempt, starts nothing under a fence that was used before.
 *   <li><b>Activated only once granted, committed and applied here.</b> A grant that the state does not contain may
 *       belong to a state from which the singleton has moved on already.
 *   <li><b>Deactivated before the end of the lease, isolated at the end.</b> If renewals fail, {@code deactivate} is
 *       called the grace period before the lease ends ({@link #expiring}). At the end of the lease by this machine's
 *       clock ({@link #lost(Held, String)}) the fence is revoked on this member immediately, whatever runs: that is
 *       {@link SingletonStage#ISOLATED}. The holder measures from the <em>sending</em> of the last confirmed renewal
 *       and ends a margin early, the leader from the renewal's <em>arrival</em> and a margin late, so no other member
 *       starts before.
 *   <li><b>Released only when no code runs.</b> The lease is released after {@code deactivate} returned. Hanging code
 *       is interrupted, gets the grace period, and is then isolated: other members may start, the code's fence is no
 *       longer accepted, and with {@code cluster.halt-on-hang} the process is halted first.
 *   <li><b>No assumptions about unknown outcomes.</b> A report or release without an answer is proposed again until it
 *       has one ({@link LeaseReturn}); commands are idempotent.
 *   <li><b>Stages change in {@link #transition} only</b>, where they are logged and published.
 * </ul>
 *
 * <p>The simulation in this room's tests breaks the rules of {@link io.weir.cluster.lease.LeaseSafety} one by one, to
 * verify that its checker would detect two holders.
 *
 * <h2>Sources</h2>
 *
 * Singletons, candidates, migration attempts and the master that places: Oracle WebLogic Server, <em>Administering
 * Clusters</em>, chapters on service migration and leasing. Leases and measuring on the local clock: C. Gray and D.
 * Cheriton, <em>Leases: An Efficient Fault-Tolerant Mechanism for Distributed File Cache Consistency</em>, SOSP 1989.
 * Fences: M. Burrows, <em>The Chubby Lock Service</em>, OSDI 2006 (sequencers), and M. Kleppmann, <em>How to do
 * distributed locking</em>, 2016. Decisions as a replicated state machine: D. Ongaro and J. Ousterhout, <em>In Search
 * of an Understandable Consensus Algorithm</em>, USENIX ATC 2014.
 */
final class SingletonLife implements LeaseRenewer.Holder {
    private static final Set<SingletonStage> RUNNING = EnumSet.of(
            SingletonStage.ACTIVATING, SingletonStage.ACTIVE, SingletonStage.DEACTIVATING, SingletonStage.ISOLATED);

    private static final int REASON = 500;

    /** Delay before a call that could not be started is retried. */
    private static final Duration RETRY = Duration.ofMillis(100);

    private final String name;
    private final LocalDuty duty;
    private final LifeReports reports;
    private final SingletonParts around;
    private final ActivationTurns turns;
    private final Runnable turn = this::turn;
    private SingletonStage stage = SingletonStage.ABSENT;
    private @Nullable RunningService running;
    private @Nullable LeaseReturn ending;
    private @Nullable Cancellable timer;
    private Fence last = Fence.NONE;
    private boolean reporting;
    private volatile Here here;

    SingletonLife(String name, SingletonParts around, ActivationTurns turns) {
        this.name = name;
        this.duty = new LocalDuty(name, around.self());
        this.reports = new LifeReports(name, around.stats(), around.log());
        this.around = around;
        this.turns = turns;
        this.here = new Here(name, stage, null, "", nanos());
    }

    SingletonStage stage() {
        return stage;
    }

    /** For monitoring; from any thread. */
    Here here() {
        return here;
    }

    /** Performs the next step that the state requires; called after each change of the state and periodically. */
    void step(ClusterState now) {
        switch (stage) {
            case ABSENT -> absent(now);
            case QUEUED -> queued(now);
            case ACTIVATING, DEACTIVATING -> stillOurs(now);
            case ACTIVE -> active(now);
            case RELEASING, ISOLATED -> leaving();
            case ACQUIRING -> {
                // the answer is pending
            }
        }
    }

    private void absent(ClusterState now) {
        Grant leftover = duty.leftover(now, last);
        if (leftover != null) {
            leave(leftover, null, "it was granted to an abandoned attempt");
        } else if (duty.acquires(now, last)) {
            transition(SingletonStage.QUEUED, "it is placed here");
            turns.request(turn);
        }
    }

    private void queued(ClusterState now) {
        if (!duty.acquires(now, last)) {
            turns.withdraw(turn);
            transition(SingletonStage.ABSENT, "it is no longer placed here");
        }
    }

    private void turn() {
        if (!duty.acquires(around.state().get(), last)) {
            transition(SingletonStage.ABSENT, "it is no longer placed here");
            turns.done();
            return;
        }
        transition(SingletonStage.ACQUIRING, "it is its turn");
        FutureOutcome.of(around.renewer().acquire(duty.lease(), this), around.log(), this::acquired, fault -> {
            transition(SingletonStage.ABSENT, "its lease was not granted: " + fault.getMessage());
            turns.done();
        });
    }

    private void acquired(Held held) {
        ClusterState now = around.state().get();
        SingletonSpec spec = duty.spec(now);
        boolean applied = duty.runs(now, held.fence());
        if (spec != null && held.valid() && (applied || !around.rules().activatesOnlyWhenApplied())) {
            activate(spec, held);
        } else {
            around.renewer().abandon(held);
            leave(held.grant(), null, "it is no longer placed here");
            turns.done();
        }
    }

    private void activate(SingletonSpec spec, Held held) {
        last = held.fence();
        RunningService r = new RunningService(new Activation(spec, held), held, nanos());
        running = r;
        transition(SingletonStage.ACTIVATING, "its lease is granted, committed and applied here");
        arm(around.times().activation(), () -> activationTimedOut(r));
        FutureOutcome.of(
                around.activations().activate(r.activation),
                around.log(),
                _ -> activateReturned(r, null),
                fault -> activateReturned(r, fault));
    }

    private void activateReturned(RunningService r, @Nullable Throwable fault) {
        r.activateNanos = nanos() - r.began;
        if (stage == SingletonStage.ISOLATED) {
            lateActivation(r, fault);
            return;
        }
        disarm();
        if (fault == null) {
            reports.activated(r.activateNanos);
            transition(SingletonStage.ACTIVE, "activate returned after " + millis(r.activateNanos));
            if (r.pendingReason != null) {
                deactivate(r, r.pendingReason);
            }
        } else {
            activationFailed(r, fault);
        }
        turns.done();
        step(around.state().get());
    }

    private void activationFailed(RunningService r, Throwable fault) {
        reports.activationFailed(fault);
        around.renewer().abandon(r.held);
        String reason = "activate failed: " + fault;
        // a failure while the lease is being lost says nothing about the service on this member
        leave(r.held.grant(), r.pendingReason == null ? report(r, reason) : null, reason);
    }

    private SingletonCommand.ActivationFailed report(RunningService r, String reason) {
        String line = reason.replaceAll("\\p{Cntrl}+", " ");
        String cut = line.length() > REASON ? line.substring(0, REASON) + "…" : line;
        return new SingletonCommand.ActivationFailed(name, r.held.fence(), cut);
    }

    private void activationTimedOut(RunningService r) {
        reports.activationTimedOut();
        String reason = "activate did not return within "
                + Durations.spoken(around.times().activation());
        r.failure = report(r, reason);
        lose(r, reason);
        cutOff(r, reason);
        // code that reacts to the interrupt returns now, and is deactivated before another member starts
        arm(around.leases().grace(), () -> releaseHung(r));
        around.activations().interrupt(r.activation);
        turns.done();
    }

    /** Stops waiting for its code: reports the failure if any and releases the lease. */
    private void releaseHung(RunningService r) {
        around.renewer().abandon(r.held);
        startRelease(r, r.failure);
        around.activations().interrupt(r.activation);
        arm(around.times().deactivation(), () -> hangs(r));
    }

    private void lateActivation(RunningService r, @Nullable Throwable fault) {
        String how = fault == null ? "returned after " + millis(r.activateNanos) : fault.toString();
        reports.late(r.held.fence(), how);
        if (fault == null) {
            if (ending == null && r.failure != null) {
                arm(around.times().deactivation(), () -> releaseHung(r));
            }
            callDeactivate(r);
        } else {
            ended(r, "its late activation failed");
        }
    }

    private void active(ClusterState now) {
        RunningService r = running;
        if (r == null || lost(r, now)) {
            return;
        }
        if (!duty.runs(now, r.held.fence())) {
            deactivate(r, duty.whyNot(now));
        } else if (duty.unreported(now) && !reporting) {
            reporting = true;
            FutureOutcome.of(
                    around.proposer().propose(new SingletonCommand.Activated(name, r.held.fence(), r.activateNanos)),
                    around.log(),
                    _ -> reporting = false,
                    _ -> reporting = false);
        }
    }

    private void stillOurs(ClusterState now) {
        RunningService r = running;
        if (r != null) {
            lost(r, now);
        }
    }

    private boolean lost(RunningService r, ClusterState now) {
        boolean gone = duty.leaseEnded(now, r.held.fence());
        if (gone) {
            lost(r.held, "the cluster ended its lease");
        }
        return gone;
    }

    @Override
    public void expiring(Held held, String reason) {
        RunningService r = running;
        if (r == null || r.held != held || stage == SingletonStage.ISOLATED) {
            return;
        }
        lose(r, reason);
        if (stage == SingletonStage.ACTIVE) {
            deactivate(r, reason);
        } else if (stage == SingletonStage.ACTIVATING) {
            r.pendingReason = reason;
        }
    }

    void deactivateNow(String reason) {
        RunningService r = running;
        if (r != null) {
            expiring(r.held, reason);
        }
    }

    @Override
    public void lost(Held held, String reason) {
        RunningService r = running;
        if (r == null || r.held != held) {
            return;
        }
        SingletonStage before = stage;
        if (before == SingletonStage.ISOLATED) {
            if (around.times().haltOnHang()) {
                arm(r.untilHalt(nanos(), around.leases()), () -> hangs(r));
            }
            return;
        }
        isolate(r, reason);
        switch (before) {
            case ACTIVE -> callDeactivate(r);
            case ACTIVATING -> {
                around.activations().interrupt(r.activation);
                turns.done();
            }
            // its time is over: abort any wait
            default -> around.activations().interrupt(r.activation);
        }
    }

    /** Notifies the service; from now on Weir's calls do not block it for long. */
    private void lose(RunningService r, String reason) {
        if (r.activation.lose(reason)) {
            around.activations().lost(r.activation);
        }
    }

    private void deactivate(RunningService r, String reason) {
        transition(SingletonStage.DEACTIVATING, reason);
        arm(around.times().deactivation(), () -> deactivationTimedOut(r));
        callDeactivate(r);
    }

    private void callDeactivate(RunningService r) {
        r.deactivates(nanos());
        FutureOutcome.of(
                around.activations().deactivate(r.activation),
                around.log(),
                _ -> deactivateReturned(r, null),
                fault -> {
                    if (fault instanceof NotBegun) {
                        notBegun(r, fault);
                    } else {
                        deactivateReturned(r, fault);
                    }
                });
    }

    /**
     * The call could not be started: the lease is kept, the time-out runs as if the call hung, and the call is retried.
     */
    private void notBegun(RunningService r, Throwable why) {
        reports.notBegun(!r.notBegunLogged, why);
        r.notBegunLogged = true;
        around.loop().after(RETRY.toNanos(), () -> {
            if (running == r) {
                callDeactivate(r);
            }
        });
    }

    private void deactivateReturned(RunningService r, @Nullable Throwable fault) {
        reports.deactivated(nanos() - r.deactivateBegan, fault);
        if (stage == SingletonStage.ISOLATED) {
            ended(r, "deactivate returned late");
        } else {
            disarm();
            around.renewer().abandon(r.held);
            leave(r.held.grant(), null, "deactivate returned after " + millis(nanos() - r.deactivateBegan));
        }
    }

    private void deactivationTimedOut(RunningService r) {
        String reason = "deactivate did not return within "
                + Durations.spoken(around.times().deactivation());
        lose(r, reason);
        cutOff(r, reason);
        // its lease is kept: code that reacts to the interrupt ends now, before another member starts
        if (around.times().haltOnHang()) {
            arm(around.times().deactivation(), () -> hangs(r));
        } else {
            arm(around.leases().grace(), () -> releaseHung(r));
        }
        around.activations().interrupt(r.activation);
    }

    /** Isolates code that still runs although its lease is no longer held. */
    private void isolate(RunningService r, String reason) {
        lose(r, reason);
        around.renewer().abandon(r.held);
        cutOff(r, reason);
        arm(
                around.times().haltOnHang()
                        ? r.untilHalt(nanos(), around.leases())
                        : around.times().deactivation(),
                () -> hangs(r));
    }

    /** Revokes the fence: from now on Weir's operations on its behalf are refused. */
    private void cutOff(RunningService r, String reason) {
        around.guard().kill(duty.lease(), r.held.fence());
        r.activation.cutOff();
        reports.isolated();
        transition(SingletonStage.ISOLATED, reason);
        reports.isolationLogged(r.held.fence(), reason);
        ending = null;
    }

    /**
     * Releases the lease while the code may still run. If the lease expired this happens only once the code has
     * returned or hangs: no other member starts until the leader expires the lease.
     */
    private void startRelease(RunningService r, SingletonCommand.@Nullable ActivationFailed report) {
        LeaseReturn f = new LeaseReturn(around, r.held.grant(), report, this::released);
        ending = f;
        f.step();
    }

    private void hangs(RunningService r) {
        if (around.times().haltOnHang()) {
            reports.halting(r.held.fence());
            around.halt().run();
            return;
        }
        around.activations().interrupt(r.activation);
        if (ending == null) {
            startRelease(r, null);
        }
    }

    /** The code of an isolated singleton has returned. */
    private void ended(RunningService r, String reason) {
        disarm();
        around.renewer().abandon(r.held);
        LeaseReturn f = ending;
        if (f == null) {
            leave(r.held.grant(), r.failure, reason);
        } else {
            transition(f.done() ? SingletonStage.ABSENT : SingletonStage.RELEASING, reason);
            step(around.state().get());
        }
    }

    private void leave(Grant grant, SingletonCommand.@Nullable ActivationFailed report, String reason) {
        LeaseReturn f = new LeaseReturn(around, grant, report, this::released);
        ending = f;
        transition(SingletonStage.RELEASING, reason);
        f.step();
    }

    private void leaving() {
        LeaseReturn f = ending;
        if (f != null) {
            f.step();
        }
    }

    private void released() {
        if (stage == SingletonStage.RELEASING) {
            transition(SingletonStage.ABSENT, "its lease is released");
            step(around.state().get());
        }
    }

    /** The only place where the stage changes; logs and publishes the change. */
    private void transition(SingletonStage next, String reason) {
        SingletonStage before = stage;
        stage = next;
        RunningService r = running;
        Fence fence = r == null ? last : r.held.fence();
        boolean seen = next == SingletonStage.ACTIVE || (RUNNING.contains(before) && !RUNNING.contains(next));
        reports.step(seen, before, next, fence, reason);
        if (!RUNNING.contains(next)) {
            running = null;
            r = null;
        }
        here = new Here(name, next, r == null ? null : r.held, reason, nanos());
    }

    private void arm(Duration after, Runnable then) {
        disarm();
        timer = around.loop().after(after.toNanos(), then);
    }

    private void disarm() {
        Cancellable t = timer;
        timer = null;
        if (t != null) {
            t.cancel();
        }
    }

    private long nanos() {
        return around.loop().clock().nanos();
    }

    private static String millis(long nanos) {
        return nanos / 1_000_000 + " ms";
    }
}
