package io.weir.cluster.sim;

import io.weir.base.Fence;
import io.weir.cluster.lease.Held;
import io.weir.cluster.singleton.Activation;
import io.weir.cluster.state.Applied;
import io.weir.cluster.state.ClusterState;
import io.weir.cluster.state.entry.Answer;
import io.weir.cluster.state.entry.Command;
import io.weir.cluster.state.entry.Event;
import io.weir.cluster.state.leases.LeaseCommand;
import io.weir.cluster.state.leases.LeaseEvent;
import io.weir.cluster.state.leases.LeaseState;
import io.weir.cluster.state.leases.Leases;
import io.weir.cluster.state.naming.Binding;
import io.weir.cluster.state.naming.BindingChanged;
import io.weir.cluster.state.naming.NamingCommand;
import io.weir.cluster.state.singletons.CheckpointCommand;
import io.weir.cluster.state.singletons.Phase;
import io.weir.cluster.state.singletons.SingletonChanged;
import io.weir.cluster.state.singletons.SingletonCommand;
import io.weir.cluster.state.singletons.SingletonSpec;
import io.weir.cluster.state.singletons.SingletonState;
import io.weir.cluster.state.timers.TimerCommand;
import io.weir.cluster.state.timers.TimerEvent;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What must hold, asked at the true moment of every commitment and of every call of a service's code. It keeps its own books
 * of who was granted what and trusts nobody else's. Confined to the simulation's thread.
 */
final class Invariants {
    /** A lease as granted in the log. */
    private record Granted(String owner, long incarnation, Fence fence) {}

    /** Where a service's code is inside: between the return of activate and the call of deactivate. */
    private record Inside(String host, int life, Fence fence) {}

    /** A lease by a clock as slow as leases allow for. */
    private static final long LONGEST =
            (long) (Member.TIMES.timeToLive().minus(Member.TIMES.margin()).toNanos() / (1 - Plan.DRIFT));

    private final World world;
    private final Map<String, Fence> highest = new HashMap<>();
    private final Map<String, Granted> current = new HashMap<>();
    private final Map<String, Long> renewedAt = new HashMap<>();
    private final Map<String, Map<Fence, Inside>> inside = new HashMap<>();
    private final Set<String> activated = new HashSet<>();
    private final Map<String, Long> fired = new HashMap<>();
    private final Set<String> called = new HashSet<>();
    private final Map<String, Long> lastScheduled = new HashMap<>();
    private long activations;
    private long expiries;
    /** The entry is an operator's migration. */
    private boolean moved;

    Invariants(World world) {
        this.world = world;
    }

    /** An entry was committed: before and after in truth. */
    void committed(ClusterState before, Command command, Applied applied) {
        LeaseCommand.Expire expire = command instanceof LeaseCommand.Expire x ? x : null;
        moved = command instanceof SingletonCommand.Migrate;
        for (Event e : applied.events()) {
            switch (e) {
                case LeaseEvent.Acquired a -> acquired(a.lease());
                case LeaseEvent.Ended l -> ended(l, expire);
                case LeaseEvent.Renewed r -> r.leases().forEach(this::renewed);
                case SingletonChanged c -> changed(applied.after(), c.before(), c.after());
                case BindingChanged b -> bound(b.after());
                case TimerEvent.Fired f -> fired(f);
                default -> {
                    // nothing to keep
                }
            }
        }
        if (!applied.events().isEmpty()) {
            applied.after().bindings().values().forEach(this::bound);
            overlap();
        }
    }

    /** A side effect was accepted: with the fence that was in force then, or it has none. */
    void accepted(ClusterState before, Command command, Answer answer) {
        switch (command) {
            case NamingCommand.Bind c -> fenced(before, c.lease(), c.fence(), command, answer);
            case NamingCommand.Rebind c -> fenced(before, c.lease(), c.fence(), command, answer);
            case NamingCommand.Unbind c -> fenced(before, c.lease(), c.fence(), command, answer);
            case CheckpointCommand.Put c ->
                fenced(before, Leases.ofSingleton(c.singleton()), c.fence(), command, answer);
            case CheckpointCommand.Remove c ->
                fenced(before, Leases.ofSingleton(c.singleton()), c.fence(), command, answer);
            case TimerCommand.Fire c -> fenced(before, Leases.TIMERS, c.fence(), command, answer);
            case TimerCommand.FireDone c -> fenced(before, Leases.TIMERS, c.fence(), command, answer);
            case SingletonCommand.Activated c ->
                fenced(before, Leases.ofSingleton(c.name()), c.fence(), command, answer);
            case SingletonCommand.ActivationFailed c ->
                fenced(before, Leases.ofSingleton(c.name()), c.fence(), command, answer);
            default -> {
                // has no fence, or is allowed to be late
            }
        }
    }

    private void fenced(ClusterState before, String lease, Fence fence, Command command, Answer answer) {
        LeaseState l = before.lease(lease);
        boolean current = l != null && l.owner() != null && l.fence().equals(fence);
        check(current || !answer.accepted(), "accepted-with-an-old-fence", command + " while " + l);
    }

    private void acquired(LeaseState lease) {
        Fence last = highest.getOrDefault(lease.name(), Fence.NONE);
        check(lease.fence().compareTo(last) > 0, "fence-not-higher", lease + " after " + last);
        Granted held = current.get(lease.name());
        check(held == null, "granted-while-held", lease + " while " + held);
        highest.put(lease.name(), lease.fence());
        current.put(lease.name(), new Granted("" + lease.owner(), lease.incarnation(), lease.fence()));
        renewed(lease.name());
        world.log().add("log", lease);
    }

    private void renewed(String lease) {
        renewedAt.put(lease, world.time().now());
    }

    private void ended(LeaseEvent.Ended l, LeaseCommand.@Nullable Expire expire) {
        Granted held = current.remove(l.lease());
        check(held != null && held.fence().equals(l.fence()), "ended-but-not-held", l + " while " + held);
        world.log().add("log", l);
        if (expire != null && expire.lease().equals(l.lease())) {
            expiries++;
            long since = renewedAt.getOrDefault(l.lease(), 0L);
            check(
                    !world.plan().sane() || world.ledSomebodySince(since),
                    "expired-by-a-change-of-leader",
                    l + " renewed at " + since);
        }
    }

    /**
     * No member takes its lease for valid once another was granted it, nor for longer than it lasts from the commitment of its
     * last renewal: whoever declares it over counts from there at the earliest.
     */
    void overlap() {
        for (Member m : world.members()) {
            for (Held held : m.held()) {
                if (held.valid() && world.plan().sane() && !world.plan().rows()) {
                    long since = world.time().now() - renewedAt.getOrDefault(held.lease(), 0L);
                    check(since <= LONGEST, "valid-for-too-long", m.name() + " takes " + held + " for valid");
                }
                Fence newest = highest.getOrDefault(held.lease(), Fence.NONE);
                if (newest.compareTo(held.fence()) > 0 && world.plan().sane()) {
                    check(!held.valid(), "two-valid", m.name() + " takes " + held + " for valid after " + newest);
                }
            }
        }
    }

    private void changed(ClusterState after, @Nullable SingletonState was, @Nullable SingletonState is) {
        if (is == null) {
            return;
        }
        SingletonSpec spec = is.spec();
        check(is.circuits() <= spec.additionalAttempts() + 1, "too-many-circuits", is);
        check(is.tried().stream().allMatch(spec::mayRunOn), "tried-where-it-may-not-run", is);
        boolean fresh = was == null
                || was.phase() != is.phase()
                || !String.valueOf(was.member()).equals(is.member());
        if (fresh) {
            world.log().add("log", is);
        }
        if (is.phase() == Phase.PLACED && fresh && is.equals(after.singleton(is.name()))) {
            placed(after, was, is);
        }
        if (is.phase() == Phase.FAILED && fresh) {
            check(is.circuits() == spec.additionalAttempts() + 1, "failed-too-early", is);
        }
        if (is.running()) {
            Granted held = current.get(Leases.ofSingleton(spec.name()));
            check(
                    held != null
                            && held.owner().equals(is.member())
                            && held.fence().equals(is.fence()),
                    "running-without-its-lease",
                    is + " while " + held);
        }
    }

    /** It goes where it may, and first to the preferred server. */
    private void placed(ClusterState after, @Nullable SingletonState was, SingletonState is) {
        SingletonSpec spec = is.spec();
        String member = String.valueOf(is.member());
        check(after.eligible(member), "placed-on-one-that-is-not-there", is);
        check(spec.mayRunOn(member), "placed-where-it-may-not-run", is);
        String preferred = spec.preferred();
        boolean unmoved = !moved && (was == null || (!was.running() && was.phase() != Phase.PLACED));
        if (preferred != null && unmoved && is.origin() == null && is.tried().isEmpty() && after.eligible(preferred)) {
            check(member.equals(preferred), "not-on-its-preferred-server", is);
        }
    }

    private void bound(@Nullable Binding b) {
        Granted held = b == null ? null : current.get(b.lease());
        boolean right = b == null
                || (held != null
                        && held.fence().equals(b.fence())
                        && held.owner().equals(b.member()));
        if (!right) {
            check(false, "bound-with-an-old-fence", b + " while " + held);
        }
    }

    private void fired(TimerEvent.Fired f) {
        Granted held = current.get(Leases.TIMERS);
        check(held != null && held.fence().equals(f.fence()), "fired-with-an-old-fence", f + " while " + held);
        String triple = f.id() + " " + f.scheduledMillis() + " " + f.fence() + " " + f.requested();
        check(fired.put(triple, world.time().now()) == null, "fired-twice", f);
        String occasion = f.id() + " " + f.requested();
        long last = lastScheduled.getOrDefault(occasion, Long.MIN_VALUE);
        check(f.scheduledMillis() >= last, "fired-out-of-order", f + " after " + last);
        lastScheduled.put(occasion, f.scheduledMillis());
    }

    /** A timer's listener is called. */
    void listenerCalled(Host host, String id, long scheduledMillis, Fence fence, boolean requested) {
        String triple = id + " " + scheduledMillis + " " + fence + " " + requested;
        world.log().add(host.name(), "timer " + triple);
        check(fired.containsKey(triple), "listener-called-before-the-firing-was-committed", triple);
        check(called.add(triple), "listener-called-twice", triple);
    }

    void activateCalled(Host host, Activation a) {
        world.log().add(host.name(), "activate " + a);
        activations++;
        check(activated.add(a.service() + " " + a.fence()), "fence-activated-twice", a);
        Fence newest = highest.getOrDefault(a.lease(), Fence.NONE);
        check(a.fence().compareTo(newest) <= 0, "activated-before-granted", a + " is not in the log");
        ClusterState here = world.member(host.name()).state();
        SingletonState s = here.singleton(a.service());
        boolean runs = s != null && s.runsOn(host.name(), a.fence()) && here.current(a.lease(), a.fence());
        check(runs, "activated-before-applied", a + " is not for " + host.name() + " as it knows: " + s);
    }

    void activateReturned(Host host, Activation a) {
        world.log().add(host.name(), "activated " + a);
        Inside now = new Inside(host.name(), host.life(), a.fence());
        Inside other = inside.computeIfAbsent(a.service(), s -> new HashMap<>()).put(a.fence(), now);
        boolean alive = other != null && world.lives(other.host(), other.life());
        check(!alive, "two-active-with-one-fence", now + " and " + other);
    }

    void activateFailed(Host host, Activation a) {
        world.log().add(host.name(), "activate failed " + a);
    }

    void deactivateCalled(Host host, Activation a) {
        world.log().add(host.name(), "deactivate " + a);
        Inside was = inside.getOrDefault(a.service(), Map.of()).get(a.fence());
        check(was != null, "deactivated-but-not-active", a + " on " + host.name());
        inside.getOrDefault(a.service(), new HashMap<>()).remove(a.fence());
    }

    void deactivateReturned(Host host, Activation a) {
        world.log().add(host.name(), "deactivated " + a);
    }

    /** Something is done that nobody but Weir's own guard asked the fence of. */
    void sideEffect(Host host, Activation a) {
        Fence newest = highest.getOrDefault(a.lease(), Fence.NONE);
        check(
                !world.plan().sane() || a.fence().equals(newest),
                "side-effect-with-an-old-fence",
                a + " on " + host.name() + " after " + newest);
    }

    /** Who is active now, in truth: between the return of activate and the call of deactivate in a process that lives. */
    List<String> activeOn(String service, Fence fence) {
        return inside.getOrDefault(service, Map.of()).values().stream()
                .filter(i -> i.fence().equals(fence) && world.lives(i.host(), i.life()))
                .map(Inside::host)
                .toList();
    }

    long activations() {
        return activations;
    }

    long expiries() {
        return expiries;
    }

    int firings() {
        return fired.size();
    }

    /** Every occasion was told to its listener at least once, but those of just now. */
    void allCalled() {
        Set<String> told = new HashSet<>();
        called.forEach(c -> told.add(occasion(c)));
        fired.forEach((triple, at) -> check(
                at > world.time().now() - 20 * VirtualTime.SECOND || told.contains(occasion(triple)),
                "fired-but-nobody-was-called",
                triple));
    }

    /** Without the fence. */
    private static String occasion(String triple) {
        String[] parts = triple.split(" ", -1);
        return parts[0] + " " + parts[1] + " " + parts[3];
    }

    long lastFiring() {
        return fired.values().stream().mapToLong(at -> at).max().orElse(-1);
    }

    private void check(boolean holds, String rule, Object what) {
        world.referee().check(holds, rule, what);
    }
}
