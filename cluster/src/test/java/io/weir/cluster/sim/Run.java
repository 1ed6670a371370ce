package io.weir.cluster.sim;

import io.weir.cluster.log.LogFault;
import io.weir.cluster.state.ClusterState;
import io.weir.cluster.state.deployments.DeploymentCommand;
import io.weir.cluster.state.entry.Command;
import io.weir.cluster.state.members.MemberState;
import io.weir.cluster.state.singletons.FailBackMode;
import io.weir.cluster.state.singletons.Phase;
import io.weir.cluster.state.singletons.SingletonCommand;
import io.weir.cluster.state.singletons.SingletonSpec;
import io.weir.cluster.state.singletons.SingletonState;
import io.weir.cluster.state.timers.TimerCommand;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One run of a plan: members start, faults come and go, and when all is well again the cluster must get well too, within a
 * bound of virtual time. Confined to its caller's thread.
 */
final class Run {
    /** How long after the last fault everything must be as it should: time-outs, a lease, a circuit and its pauses. */
    private static final long BOUND = 180 * VirtualTime.SECOND;

    /** More than any run needs: beyond it something turns in circles. */
    private static final long EVENTS = 2_000_000;

    private static final long STABLE = 3 * VirtualTime.SECOND;

    /**
     * What a run came to.
     *
     * @param violation null when everything held
     * @param summary what it did, in numbers
     */
    record Result(Plan plan, @Nullable Violation violation, String log, String summary) {}

    private final Plan plan;
    private final World world;
    private final VirtualTime time;
    private final Faults faults;
    private long events;

    private Run(Plan plan, Mutation mutation) {
        this.plan = plan;
        this.world = new World(plan, mutation);
        this.time = world.time();
        this.faults = new Faults(world, this::operate);
    }

    static Result of(Plan plan, Mutation mutation) {
        Run run = new Run(plan, mutation);
        Violation v = run.all();
        return new Result(
                plan, v, v == null ? "" : run.world.log().last(Integer.getInteger("sim.lines", 400)), run.summary());
    }

    private @Nullable Violation all() {
        try {
            go();
        } catch (Violation v) {
            return v;
        } catch (RuntimeException e) {
            java.io.StringWriter text = new java.io.StringWriter();
            e.printStackTrace(new java.io.PrintWriter(text));
            return new Violation("exception", text.toString());
        }
        return null;
    }

    private void go() {
        world.members().forEach(m -> time.after(world.chance().nextLong(2 * VirtualTime.SECOND), m::boot));
        archives().forEach(s -> time.after(4 * VirtualTime.SECOND, () -> deploy(s, 0)));
        plan.faults().forEach(faults::schedule);
        if (!plan.shaped()) {
            new Availability(world).watch();
        }
        until(plan.end() * VirtualTime.MILLI);
        faults.over();
        world.log().add("", "all is well from here on");
        well();
    }

    /** The first of a deployment is repeated until it is there. */
    private void deploy(SingletonSpec s, int attempt) {
        if (world.state().singleton(s.name()) == null) {
            operate("", deployment(plan, s, 0));
            time.after(VirtualTime.SECOND, () -> deploy(s, attempt + 1));
        }
    }

    /** Of each archive one singleton. */
    private List<SingletonSpec> archives() {
        Set<String> seen = new HashSet<>();
        return plan.singletons().stream()
                .filter(s -> s.deployment() != null && seen.add(s.deployment()))
                .toList();
    }

    /** Of the archive with which a singleton comes. */
    static DeploymentCommand.Deploy deployment(Plan plan, SingletonSpec s, long version) {
        String sha = String.format(Locale.ROOT, "%064x", version);
        String archive = "" + s.deployment();
        List<SingletonSpec> all = plan.singletons().stream()
                .filter(o -> archive.equals(o.deployment()))
                .toList();
        return new DeploymentCommand.Deploy(archive, sha, 1000 + version, "a", all);
    }

    /** An operator asks a member, or another one when that is away. */
    private void operate(String who, Command command) {
        Optional<Member> at = world.members().stream()
                .filter(Member::runs)
                .filter(m -> m.name().equals(who))
                .findFirst()
                .or(() -> world.members().stream().filter(Member::runs).findFirst());
        at.ifPresent(m -> {
            world.log().add(m.name(), command);
            var _ = m.proposer().propose(command, "operator").whenComplete((answer, fault) -> {
                world.referee().check(fault == null || fault instanceof LogFault, "exception", "" + fault);
            });
        });
    }

    private void until(long when) {
        while (time.step(when)) {
            world.referee().check(++events < EVENTS, "never-quiet", events + " events");
            Violation v = world.referee().first();
            if (v != null) {
                throw v;
            }
        }
    }

    private void well() {
        long bound = time.now() + BOUND;
        long since = time.now();
        long helped = 0;
        String ill = "";
        while (time.now() - since < STABLE) {
            until(time.now() + 200 * VirtualTime.MILLI);
            ill = ill();
            if (!ill.isEmpty()) {
                since = time.now();
                world.referee().check(time.now() < bound, "not-well-in-time", ill);
            }
            if (time.now() - helped > 5 * VirtualTime.SECOND) {
                helped = time.now();
                resume();
            }
        }
        plan.singletons()
                .forEach(s -> world.referee()
                        .check(
                                world.state().explain(s.name()).size()
                                        >= plan.members().size(),
                                "not-explained",
                                s.name()));
        world.truth().allEqual();
        world.invariants().allCalled();
        plan.singletons().forEach(s -> {
            SingletonState now = world.state().singleton(s.name());
            world.stays().allToldBut(s.name(), now == null ? null : now.fence());
        });
    }

    private void resume() {
        for (SingletonSpec s : archives()) {
            if (world.state().singleton(s.name()) == null) {
                operate("", deployment(plan, s, 0));
            }
        }
        for (SingletonState s : world.state().singletons().values()) {
            if (s.phase() == Phase.PAUSED || s.phase() == Phase.FAILED) {
                operate("", new SingletonCommand.Resume(s.name(), "all is well"));
            }
        }
    }

    /** What is not as it should be; nothing when all is. */
    private String ill() {
        ClusterState now = world.state();
        for (String m : plan.members()) {
            if (!now.eligible(m)) {
                return m + " is not there: " + now.member(m) + ", " + now.lease("member/" + m);
            }
        }
        for (SingletonSpec s : plan.singletons()) {
            String why = ill(now, now.singleton(s.name()), s);
            if (!why.isEmpty()) {
                return why;
            }
        }
        boolean jumped = plan.faults().stream().anyMatch(f -> f.kind() == Fault.Kind.WALL_JUMP);
        long silent = time.now() - world.invariants().lastFiring();
        if (!plan.timers().isEmpty() && !jumped && silent > 25 * VirtualTime.SECOND) {
            return "no timer fires since " + silent / VirtualTime.SECOND + " s";
        }
        return world.caughtUp() ? "" : "somebody lags";
    }

    private String ill(ClusterState now, @Nullable SingletonState s, SingletonSpec spec) {
        if (s == null || s.phase() != Phase.ACTIVE) {
            return spec.name() + " is not active: " + s;
        }
        List<String> active = world.invariants().activeOn(s.name(), s.fence());
        if (!active.equals(List.of("" + s.member()))) {
            return s + " is in truth active on " + active;
        }
        String preferred = spec.preferred();
        MemberState p = preferred == null ? null : now.member(preferred);
        boolean goesBack = p != null
                && spec.failBack() != FailBackMode.OFF
                && p.incarnation() != s.preferredFailure()
                && !now.holds(s)
                && !p.name().equals(s.member());
        if (goesBack) {
            return s + " did not go back to " + preferred;
        }
        return "";
    }

    private String summary() {
        Invariants i = world.invariants();
        return world.consensus().committed() + " entries, " + i.activations() + " activations, " + i.expiries()
                + " expiries, " + i.firings() + " firings, " + world.vault().increments() + " increments, "
                + world.vault().refusals() + " refused, " + world.state().fenceRefusals()
                + " refused in the log, epoch "
                + world.state().epoch() + ", "
                + time.now() / VirtualTime.SECOND + " s"
                + (plan.shaped() ? "; " + world.stays().told() : "");
    }

    static Command fireNow(String id, long atMillis) {
        return new TimerCommand.FireNow(id, atMillis);
    }
}
