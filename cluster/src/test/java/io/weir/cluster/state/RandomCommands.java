package io.weir.cluster.state;

import io.weir.base.Fence;
import io.weir.cluster.state.deployments.Deployment;
import io.weir.cluster.state.deployments.DeploymentCommand;
import io.weir.cluster.state.entry.Command;
import io.weir.cluster.state.entry.LeaseRef;
import io.weir.cluster.state.leases.LeaseCommand;
import io.weir.cluster.state.leases.LeaseState;
import io.weir.cluster.state.leases.Leases;
import io.weir.cluster.state.members.MemberCommand;
import io.weir.cluster.state.members.MemberState;
import io.weir.cluster.state.naming.BindingValue;
import io.weir.cluster.state.naming.NamingCommand;
import io.weir.cluster.state.purges.PurgeCommand;
import io.weir.cluster.state.singletons.CheckpointCommand;
import io.weir.cluster.state.singletons.FailBackMode;
import io.weir.cluster.state.singletons.SingletonCommand;
import io.weir.cluster.state.singletons.SingletonSpec;
import io.weir.cluster.state.singletons.SingletonState;
import io.weir.cluster.state.timers.Misfire;
import io.weir.cluster.state.timers.TimerCommand;
import io.weir.cluster.state.timers.TimerSpec;
import io.weir.cluster.state.timers.TimerState;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.random.RandomGenerator;

/** Commands by chance: mostly such as members and operators would propose in a state, some out of place, some stale. */
final class RandomCommands {
    private static final List<String> MEMBERS = List.of("a", "b", "c", "d");
    private static final List<String> SINGLETONS = List.of("one", "two", "three", Leases.TIMERS_SERVICE);

    private final RandomGenerator random;
    private long request;

    RandomCommands(RandomGenerator random) {
        this.random = random;
    }

    Command next(ClusterState s) {
        return switch (random.nextInt(23)) {
            case 0 -> member(s);
            case 1, 2, 3, 4 -> acquire(s);
            case 5, 6 -> renew(s);
            case 7 -> end(s);
            case 8, 9, 10 -> activation(s);
            case 11 -> operation();
            case 12 -> elapsed(s);
            case 13, 14 -> naming(s);
            case 15, 16 -> timer(s);
            case 17 -> define();
            case 18 -> deployment(s);
            case 19, 20 -> checkpoint(s);
            case 21 -> purge(s);
            default -> life(s);
        };
    }

    private <T> T any(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }

    private boolean seldom() {
        return random.nextInt(10) == 0;
    }

    private long incarnation(ClusterState s, String member) {
        MemberState m = s.member(member);
        return m == null ? 1 : seldom() ? m.incarnation() - 1 : m.incarnation();
    }

    private Command member(ClusterState s) {
        String m = any(MEMBERS);
        return switch (random.nextInt(8)) {
            case 0 -> new MemberCommand.Leave(m, incarnation(s, m));
            case 1 -> new MemberCommand.Remove(m);
            case 2 -> new MemberCommand.TookOver(m, s.applied(), seldom());
            case 3, 4 -> new MemberCommand.BootDelayOver(s.boot().version());
            case 5 -> new MemberCommand.RaiseEpoch(s.epoch() + (seldom() ? 1 : 0));
            default ->
                new MemberCommand.Join(
                        m, random.nextInt(1000), "disk" + (seldom() ? "2" : "") + m, m + ":1", m.equals("d"));
        };
    }

    private Command life(ClusterState s) {
        String m = any(MEMBERS);
        return s.member(m) == null
                ? new MemberCommand.Join(m, random.nextInt(1000), "disk" + m, "", m.equals("d"))
                : new LeaseCommand.Acquire(Leases.ofMember(m), m, incarnation(s, m), ++request);
    }

    private Command acquire(ClusterState s) {
        String name = any(SINGLETONS);
        SingletonState x = s.singleton(name);
        String owner = x == null || x.member() == null || seldom() ? any(MEMBERS) : x.member();
        if (seldom()) {
            return new LeaseCommand.Acquire("free", owner, incarnation(s, owner), ++request);
        }
        if (seldom()) {
            return new LeaseCommand.Recorded(
                    Leases.ofSingleton(name), owner, incarnation(s, owner), new Fence(s.epoch(), s.applied() + 3));
        }
        return new LeaseCommand.Acquire(Leases.ofSingleton(name), owner, incarnation(s, owner), ++request);
    }

    private Command renew(ClusterState s) {
        String m = any(MEMBERS);
        long incarnation = incarnation(s, m);
        return new LeaseCommand.Renew(
                m,
                incarnation,
                s.heldBy(m, incarnation)
                        .map(l -> new LeaseRef(l.name(), fence(l)))
                        .toList());
    }

    private Fence fence(LeaseState l) {
        long counter = l.fence().counter();
        return seldom() && counter > 0 ? new Fence(l.fence().epoch(), counter - 1) : l.fence();
    }

    private Fence fence(ClusterState s, String lease) {
        LeaseState l = s.lease(lease);
        return l == null ? Fence.NONE : fence(l);
    }

    private Command end(ClusterState s) {
        List<LeaseState> leases = new ArrayList<>(s.leases().values());
        if (leases.isEmpty()) {
            return new LeaseCommand.Lost("none", Fence.NONE);
        }
        LeaseState l = any(leases);
        return switch (random.nextInt(3)) {
            case 0 -> new LeaseCommand.Release(l.name(), fence(l));
            case 1 -> new LeaseCommand.Lost(l.name(), fence(l));
            default -> new LeaseCommand.Expire(l.name(), fence(l), seldom() ? 0 : l.renewal());
        };
    }

    private Command activation(ClusterState s) {
        String name = any(SINGLETONS);
        Fence f = fence(s, Leases.ofSingleton(name));
        return switch (random.nextInt(4)) {
            case 0 -> new SingletonCommand.ActivationFailed(name, f, "no luck");
            case 1 -> new LeaseCommand.Release(Leases.ofSingleton(name), f);
            default -> new SingletonCommand.Activated(name, f, 1);
        };
    }

    private Command operation() {
        String name = any(SINGLETONS);
        return switch (random.nextInt(5)) {
            case 0 -> new SingletonCommand.Pause(name, "");
            case 1, 2 -> new SingletonCommand.Resume(name, "");
            case 3 -> new SingletonCommand.Migrate(name, null, "x");
            default -> new SingletonCommand.Migrate(name, any(MEMBERS), "x");
        };
    }

    private Command elapsed(ClusterState s) {
        String name = any(SINGLETONS);
        SingletonState x = s.singleton(name);
        long version = x == null ? 0 : x.version();
        return switch (random.nextInt(3)) {
            case 0 -> new SingletonCommand.RetryNow(name, version);
            case 1 -> new SingletonCommand.NotTaken(name, version);
            default -> new SingletonCommand.FailBack(name, version, fence(s, Leases.ofMember("a")));
        };
    }

    private Command define() {
        SingletonSpec spec = SingletonSpec.of(any(SINGLETONS), "X" + random.nextInt(2))
                .preferring(random.nextBoolean() ? "a" : null)
                .among(random.nextBoolean() ? List.of() : List.of("b", "c"))
                .attempting(random.nextInt(3), 1000)
                .failingBack(any(List.of(FailBackMode.values())), 1000)
                .enabled(!seldom());
        if (seldom()) {
            return random.nextBoolean()
                    ? new SingletonCommand.Undefine(spec.name())
                    : new SingletonCommand.Forget(spec.name(), "");
        }
        return new SingletonCommand.Define(spec);
    }

    private Command deployment(ClusterState s) {
        String name = "app" + random.nextInt(2);
        Deployment d = s.deployments().get(name);
        return switch (random.nextInt(4)) {
            case 0 -> new DeploymentCommand.Undeploy(name);
            case 1 -> new DeploymentCommand.Fetched(name, d == null ? 0 : d.version(), any(MEMBERS));
            default ->
                new DeploymentCommand.Deploy(
                        name,
                        "" + random.nextInt(3),
                        1,
                        any(MEMBERS),
                        List.of(SingletonSpec.of(name + "-s", "X").deployedBy(name)));
        };
    }

    private Command naming(ClusterState s) {
        String lease = random.nextBoolean() ? Leases.ofSingleton(any(SINGLETONS)) : Leases.ofMember(any(MEMBERS));
        String path = any(List.of("x", "x/y", "z", "z/1"));
        Fence f = fence(s, lease);
        BindingValue value = random.nextBoolean()
                ? new BindingValue.Text("t" + random.nextInt(3))
                : new BindingValue.Remote("s", List.of());
        return switch (random.nextInt(3)) {
            case 0 -> new NamingCommand.Bind(path, lease, f, value);
            case 1 -> new NamingCommand.Rebind(path, lease, f, value);
            default -> new NamingCommand.Unbind(path, lease, f);
        };
    }

    private Command checkpoint(ClusterState s) {
        String name = any(SINGLETONS);
        Fence f = fence(s, Leases.ofSingleton(name));
        String key = "k" + random.nextInt(3);
        return random.nextInt(4) == 0
                ? new CheckpointCommand.Remove(name, key, f)
                : new CheckpointCommand.Put(name, key, "t" + random.nextInt(3), f);
    }

    private Command purge(ClusterState s) {
        return switch (random.nextInt(5)) {
            case 3 -> new PurgeCommand.Serves(any(MEMBERS), seldom() ? "" : "10.0.0.1:" + random.nextInt(9));
            case 0 ->
                new PurgeCommand.Applied(
                        any(MEMBERS), seldom() ? 9 : s.purges().id(), s.purges().last());
            case 1 -> new PurgeCommand.Add(1 + random.nextInt(9), seldom() ? "" : "http://a/" + random.nextInt(9));
            case 2 -> new PurgeCommand.Add(0, "http://a/");
            default -> new PurgeCommand.Add(5, "http://a/".repeat(1 + random.nextInt(900)));
        };
    }

    private Command timer(ClusterState s) {
        String id = "t" + random.nextInt(2);
        SortedMap<String, TimerState> timers = s.timers();
        TimerState t = timers.get(id);
        if (t == null || seldom()) {
            String schedule = "" + random.nextInt(2);
            return new TimerCommand.DefineTimer(new TimerSpec(id, schedule, "UTC", Misfire.SKIP, "t"), 0);
        }
        Fence f = fence(s, Leases.TIMERS);
        long at = t.lastScheduled() + random.nextInt(3);
        return switch (random.nextInt(10)) {
            case 9 -> new TimerCommand.ForgetTimer(id, "");
            case 0 -> new TimerCommand.PauseTimer(id);
            case 1 -> new TimerCommand.ResumeTimer(id);
            case 2 -> new TimerCommand.FireNow(id, random.nextInt(5));
            case 3 -> new TimerCommand.Fire(id, t.requested(), f, true);
            case 4 -> new TimerCommand.FireDone(id, t.requested(), f, true, "");
            case 5 -> new TimerCommand.Skip(id, at, f);
            case 6, 7 -> new TimerCommand.Fire(id, at, f, false);
            default -> new TimerCommand.FireDone(id, t.lastScheduled(), f, false, seldom() ? "bad" : "");
        };
    }
}
