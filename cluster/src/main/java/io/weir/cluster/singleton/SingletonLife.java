package io.weir.cluster.singleton;

import io.weir.base.Durations;
import io.weir.base.Fence;
import io.weir.cluster.lease.Grant;
import io.weir.cluster.lease.Held;
import io.weir.cluster.lease.LeaseKeeper;
import io.weir.cluster.lease.Outcome;
import io.weir.cluster.log.Cancellable;
import io.weir.cluster.state.ClusterState;
import io.weir.cluster.state.LeaseState;
import io.weir.cluster.state.Leases;
import io.weir.cluster.state.Phase;
import io.weir.cluster.state.SingletonCommand;
import io.weir.cluster.state.SingletonSpec;
import io.weir.cluster.state.SingletonState;
import io.weir.cluster.stats.ClusterMessages;
import io.weir.cluster.stats.ClusterStats;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One singleton on this member: the state machine from its placement here until it has gone. What it should do follows from
 * the cluster's state alone ({@link #step}), so a lost or repeated event changes nothing. At most one call of the service's
 * code runs at a time, and no fence is activated twice. Confined to the member's loop; lives as long as the controller.
 */
final class SingletonLife implements LeaseKeeper.Holder {
    private static final Set<Stage> RUNNING =
            EnumSet.of(Stage.ACTIVATING, Stage.ACTIVE, Stage.DEACTIVATING, Stage.ISOLATED);

    private static final int REASON = 500;

    /** After what a call that could not be begun is tried again. */
    private static final Duration AGAIN = Duration.ofMillis(100);

    private final String name;
    private final String lease;
    private final Surroundings around;
    private final Turns turns;
    private final Runnable turn = this::turn;
    private Stage stage = Stage.ABSENT;
    private @Nullable RunningService running;
    private @Nullable Farewell farewell;
    private @Nullable Cancellable timer;
    private Fence last = Fence.NONE;
    private boolean telling;
    private volatile Here here;

    SingletonLife(String name, Surroundings around, Turns turns) {
        this.name = name;
        this.lease = Leases.ofSingleton(name);
        this.around = around;
        this.turns = turns;
        this.here = new Here(name, stage, null, "", nanos());
    }

    Stage stage() {
        return stage;
    }

    /** For monitoring; from any thread. */
    Here here() {
        return here;
    }

    /** Does what the state asks for; called after each change of it, and again and again. */
    void step(ClusterState now) {
        switch (stage) {
            case ABSENT -> absent(now);
            case QUEUED -> queued(now);
            case ACTIVATING, DEACTIVATING -> stillOurs(now);
            case ACTIVE -> active(now);
            case RELEASING, ISOLATED -> leaving();
            case ACQUIRING -> {
                // its answer comes
            }
        }
    }

    private void absent(ClusterState now) {
        LeaseState l = now.lease(lease);
        if (l != null && l.heldBy(me(), around.self().incarnation()) && !wanted(now)) {
            leave(new Grant(lease, l.fence()), null, "granted to an attempt that was given up");
        } else if (wanted(now)) {
            transition(Stage.QUEUED, "it is placed here");
            turns.ask(turn);
        }
    }

    private void queued(ClusterState now) {
        if (!wanted(now)) {
            turns.withdraw(turn);
            transition(Stage.ABSENT, "it is not placed here any more");
        }
    }

    /** Whether its lease is to be acquired: free for us to take, or ours already by an attempt that was given up. */
    private boolean wanted(ClusterState now) {
        SingletonState s = now.singleton(name);
        LeaseState l = now.lease(lease);
        if (s == null) {
            return false;
        }
        if (l != null && l.heldBy(me(), around.self().incarnation())) {
            return s.runsOn(me(), l.fence()) && l.fence().compareTo(last) > 0;
        }
        return s.placedOn(me(), around.self().incarnation()) && (l == null || l.free());
    }

    private void turn() {
        if (!wanted(around.state().get())) {
            transition(Stage.ABSENT, "it is not placed here any more");
            turns.done();
            return;
        }
        transition(Stage.ACQUIRING, "it is its turn");
        Outcome.of(around.keeper().acquire(lease, this), around.log(), this::acquired, fault -> {
            transition(Stage.ABSENT, "its lease was not granted: " + fault.getMessage());
            turns.done();
        });
    }

    private void acquired(Held held) {
        ClusterState now = around.state().get();
        SingletonState s = now.singleton(name);
        boolean applied = s != null && s.runsOn(me(), held.fence());
        if (s != null && held.valid() && (applied || !around.rules().activatesOnlyWhenApplied())) {
            activate(s.spec(), held);
        } else {
            around.keeper().abandon(held);
            leave(held.grant(), null, "it is not placed here any more");
            turns.done();
        }
    }

    private void activate(SingletonSpec spec, Held held) {
        last = held.fence();
        RunningService r = new RunningService(new Activation(spec, held), held, nanos());
        running = r;
        transition(Stage.ACTIVATING, "its lease is granted, committed and applied here");
        arm(around.times().activation(), () -> activationTimedOut(r));
        Outcome.of(
                around.activations().activate(r.activation),
                around.log(),
                _ -> activateReturned(r, null),
                fault -> activateReturned(r, fault));
    }

    private void activateReturned(RunningService r, @Nullable Throwable fault) {
        r.activateNanos = nanos() - r.began;
        if (stage == Stage.ISOLATED) {
            lateActivation(r, fault);
            return;
        }
        disarm();
        if (fault == null) {
            around.stats().histogram(ClusterStats.ACTIVATION_TIME).record(r.activateNanos);
            count("activated");
            transition(Stage.ACTIVE, "activate returned after " + millis(r.activateNanos));
            if (r.letGo != null) {
                deactivate(r, r.letGo);
            }
        } else {
            activationFailed(r, fault);
        }
        turns.done();
        step(around.state().get());
    }

    private void activationFailed(RunningService r, Throwable fault) {
        around.log().log(ClusterMessages.ACTIVATION_FAILED, name, fault);
        failed(fault instanceof ServiceFault ? "no-class" : "threw");
        around.keeper().abandon(r.held);
        String reason = "activate failed: " + fault;
        // what fails because its lease is being lost says nothing about the service here
        leave(r.held.grant(), r.letGo == null ? report(r, reason) : null, reason);
    }

    private SingletonCommand.ActivationFailed report(RunningService r, String reason) {
        String line = reason.replaceAll("\\p{Cntrl}+", " ");
        String cut = line.length() > REASON ? line.substring(0, REASON) + "…" : line;
        return new SingletonCommand.ActivationFailed(name, r.held.fence(), cut);
    }

    private void failed(String reason) {
        around.stats().counter(ClusterStats.ACTIVATION_FAILURES, reason).inc();
        count("failed");
    }

    private void activationTimedOut(RunningService r) {
        failed("time-out");
        String reason = "activate did not return within "
                + Durations.spoken(around.times().activation());
        r.failure = report(r, reason);
        lose(r, reason);
        cutOff(r, reason);
        // code that listens returns now, and is deactivated before anybody else begins
        arm(around.leases().grace(), () -> giveUp(r));
        around.activations().interrupt(r.activation);
        turns.done();
    }

    /** The cluster waits for it no more. */
    private void giveUp(RunningService r) {
        around.keeper().abandon(r.held);
        part(r, r.failure);
        around.activations().interrupt(r.activation);
        arm(around.times().deactivation(), () -> hangs(r));
    }

    private void lateActivation(RunningService r, @Nullable Throwable fault) {
        String how = fault == null ? "returned after " + millis(r.activateNanos) : fault.toString();
        around.log().log(ClusterMessages.ACTIVATION_LATE, name, r.held.fence(), how);
        if (fault == null) {
            if (farewell == null && r.failure != null) {
                arm(around.times().deactivation(), () -> giveUp(r));
            }
            callDeactivate(r);
        } else {
            ended(r, "its late activation failed");
        }
    }

    private void active(ClusterState now) {
        RunningService r = running;
        SingletonState s = now.singleton(name);
        if (r == null || lost(r, now)) {
            return;
        }
        if (s == null || !s.runsOn(me(), r.held.fence())) {
            deactivate(r, s == null ? "it is not defined any more" : s.reason());
        } else if (s.phase() == Phase.ACTIVATING && !telling) {
            telling = true;
            Outcome.of(
                    around.proposer().propose(new SingletonCommand.Activated(name, r.held.fence(), r.activateNanos)),
                    around.log(),
                    _ -> telling = false,
                    _ -> telling = false);
        }
    }

    private void stillOurs(ClusterState now) {
        RunningService r = running;
        if (r != null) {
            lost(r, now);
        }
    }

    private boolean lost(RunningService r, ClusterState now) {
        boolean gone = !now.current(lease, r.held.fence());
        if (gone) {
            over(r.held, "the cluster declared its lease over");
        }
        return gone;
    }

    @Override
    public void letGo(Held held, String reason) {
        RunningService r = running;
        if (r == null || r.held != held || stage == Stage.ISOLATED) {
            return;
        }
        lose(r, reason);
        if (stage == Stage.ACTIVE) {
            deactivate(r, reason);
        } else if (stage == Stage.ACTIVATING) {
            r.letGo = reason;
        }
    }

    void letGo(String reason) {
        RunningService r = running;
        if (r != null) {
            letGo(r.held, reason);
        }
    }

    @Override
    public void over(Held held, String reason) {
        RunningService r = running;
        if (r == null || r.held != held) {
            return;
        }
        Stage before = stage;
        if (before == Stage.ISOLATED) {
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
            // its time is over: whatever it waits for, it waits no more
            default -> around.activations().interrupt(r.activation);
        }
    }

    /** The service hears of it, and nothing of Weir's keeps it waiting for long from here on. */
    private void lose(RunningService r, String reason) {
        if (r.activation.lose(reason)) {
            around.activations().lost(r.activation);
        }
    }

    private void deactivate(RunningService r, String reason) {
        transition(Stage.DEACTIVATING, reason);
        arm(around.times().deactivation(), () -> deactivationTimedOut(r));
        callDeactivate(r);
    }

    private void callDeactivate(RunningService r) {
        r.deactivates(nanos());
        Outcome.of(
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

    /** It was not called: its lease is kept, its time runs as if it hung, and it is called as soon as that is possible. */
    private void notBegun(RunningService r, Throwable why) {
        count("not-begun");
        if (!r.toldNotBegun) {
            r.toldNotBegun = true;
            around.log().log(ClusterMessages.NOT_BEGUN, "deactivate", name, why);
        }
        around.loop().after(AGAIN.toNanos(), () -> {
            if (running == r) {
                callDeactivate(r);
            }
        });
    }

    private void deactivateReturned(RunningService r, @Nullable Throwable fault) {
        around.stats().histogram(ClusterStats.DEACTIVATION_TIME).record(nanos() - r.deactivateBegan);
        if (fault != null) {
            around.log().log(ClusterMessages.DEACTIVATION_FAILED, name, fault);
        }
        count("deactivated");
        if (stage == Stage.ISOLATED) {
            ended(r, "deactivate returned at last");
        } else {
            disarm();
            around.keeper().abandon(r.held);
            leave(r.held.grant(), null, "deactivate returned after " + millis(nanos() - r.deactivateBegan));
        }
    }

    private void deactivationTimedOut(RunningService r) {
        String reason = "deactivate did not return within "
                + Durations.spoken(around.times().deactivation());
        lose(r, reason);
        cutOff(r, reason);
        // its lease is held on: code that listens to the interrupt ends now, before anybody else begins
        if (around.times().haltOnHang()) {
            arm(around.times().deactivation(), () -> hangs(r));
        } else {
            arm(around.leases().grace(), () -> giveUp(r));
        }
        around.activations().interrupt(r.activation);
    }

    /** Its code runs and is not to, and its lease is not held any more. */
    private void isolate(RunningService r, String reason) {
        lose(r, reason);
        around.keeper().abandon(r.held);
        cutOff(r, reason);
        arm(
                around.times().haltOnHang()
                        ? r.untilHalt(nanos(), around.leases())
                        : around.times().deactivation(),
                () -> hangs(r));
    }

    /** Nothing of it that Weir does has effect from here on. */
    private void cutOff(RunningService r, String reason) {
        around.guard().kill(lease, r.held.fence());
        r.activation.cutOff();
        count("isolated");
        transition(Stage.ISOLATED, reason);
        around.log().log(ClusterMessages.ISOLATED, name, r.held.fence(), reason);
        farewell = null;
    }

    /**
     * The cluster need not wait for its code any more. Where its lease is over by time alone this comes only once the code
     * returned or hangs: until the leader declares the lease over, nobody else begins.
     */
    private void part(RunningService r, SingletonCommand.@Nullable ActivationFailed report) {
        Farewell f = new Farewell(around, r.held.grant(), report, this::released);
        farewell = f;
        f.step();
    }

    private void hangs(RunningService r) {
        if (around.times().haltOnHang()) {
            around.log().log(ClusterMessages.HALTING, name, r.held.fence());
            around.halt().run();
            return;
        }
        around.activations().interrupt(r.activation);
        if (farewell == null) {
            part(r, null);
        }
    }

    /** The code of an isolated one has returned. */
    private void ended(RunningService r, String reason) {
        disarm();
        around.keeper().abandon(r.held);
        Farewell f = farewell;
        if (f == null) {
            leave(r.held.grant(), r.failure, reason);
        } else {
            transition(f.done() ? Stage.ABSENT : Stage.RELEASING, reason);
            step(around.state().get());
        }
    }

    private void leave(Grant grant, SingletonCommand.@Nullable ActivationFailed report, String reason) {
        Farewell f = new Farewell(around, grant, report, this::released);
        farewell = f;
        transition(Stage.RELEASING, reason);
        f.step();
    }

    private void leaving() {
        Farewell f = farewell;
        if (f != null) {
            f.step();
        }
    }

    private void released() {
        if (stage == Stage.RELEASING) {
            transition(Stage.ABSENT, "its lease is given up");
            step(around.state().get());
        }
    }

    /** The only place where a stage changes: logged and published. */
    private void transition(Stage next, String reason) {
        Stage before = stage;
        stage = next;
        RunningService r = running;
        Fence fence = r == null ? last : r.held.fence();
        boolean seen = next == Stage.ACTIVE || (RUNNING.contains(before) && !RUNNING.contains(next));
        around.log().log(
                seen ? ClusterMessages.SINGLETON : ClusterMessages.SINGLETON_STEP, name, before, next, fence, reason);
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

    private void count(String what) {
        around.stats().counter(ClusterStats.TRANSITIONS, what).inc();
    }

    private long nanos() {
        return around.loop().clock().nanos();
    }

    private String me() {
        return around.self().member();
    }

    private static String millis(long nanos) {
        return nanos / 1_000_000 + " ms";
    }
}
