package io.weir.server.cluster;

import io.weir.base.Fence;
import io.weir.cluster.deploy.DeployFault;
import io.weir.cluster.deploy.Deployed;
import io.weir.cluster.log.LogStatus;
import io.weir.cluster.state.ClusterState;
import io.weir.cluster.state.deployments.Deployment;
import io.weir.cluster.state.entry.Answer;
import io.weir.cluster.state.entry.Command;
import io.weir.cluster.state.entry.Transition;
import io.weir.cluster.state.leases.LeaseState;
import io.weir.cluster.state.members.BootDelay;
import io.weir.cluster.state.members.MemberState;
import io.weir.cluster.state.naming.Binding;
import io.weir.cluster.state.naming.BindingValue;
import io.weir.cluster.state.purges.PurgeLog;
import io.weir.cluster.state.singletons.Checkpoint;
import io.weir.cluster.state.singletons.Phase;
import io.weir.cluster.state.singletons.SingletonSpec;
import io.weir.cluster.state.singletons.SingletonState;
import io.weir.cluster.state.timers.Misfire;
import io.weir.cluster.state.timers.TimerSpec;
import io.weir.cluster.state.timers.TimerState;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A cluster that stands still: alpha (this member), beta (leads), gamma (gone, a witness); takes down what is asked of it. */
final class FakeCluster implements ClusterAccess {
    final List<String> asked = new ArrayList<>();
    CompletableFuture<Answer> answer = CompletableFuture.completedFuture(new Answer.Done(1211));
    /** What a deployment comes to, where it is not as usual. */
    @Nullable
    CompletableFuture<Deployed> deployed;

    /** Why members are not changed, where that is not done. */
    @Nullable
    Exception membership;

    CompletableFuture<Void> barrier = CompletableFuture.allOf();
    String waiting = "";

    @Nullable
    Outage outage;

    Map<String, Long> held = Map.of("member/alpha", 6_500_000_000L, "singleton/counter", -1L);

    UnaryOperator<ClusterState> changed = UnaryOperator.identity();

    @Override
    public String self() {
        return "alpha";
    }

    @Override
    public String cluster() {
        return "works";
    }

    @Override
    public String leasing() {
        return "consensus";
    }

    @Override
    public ClusterState now() {
        return changed.apply(still());
    }

    private static ClusterState still() {
        return new ClusterState(
                1200,
                1,
                0,
                new BootDelay(false, 0),
                5,
                new TreeMap<>(Map.of(
                        "alpha", new MemberState("alpha", 0x1a2b, "s1", "10.0.0.1:7001", false, 3, false),
                        "beta", new MemberState("beta", 0x3c4d, "s2", "10.0.0.2:7001", false, 4, true),
                        "gamma", new MemberState("gamma", 0x5e6f, "s3", "10.0.0.3:7001", true, 5, false))),
                new TreeMap<>(Map.of(
                        "member/alpha", lease("member/alpha", "alpha", 0x1a2b, 17),
                        "member/beta", lease("member/beta", "beta", 0x3c4d, 18),
                        "member/gamma", lease("member/gamma", null, 0x5e6f, 19),
                        "singleton/counter", lease("singleton/counter", "alpha", 0x1a2b, 1100))),
                new TreeMap<>(Map.of("counter", counter())),
                new TreeMap<>(Map.of(
                        "app/counter",
                        new Binding(
                                "app/counter",
                                "singleton/counter",
                                new Fence(1, 1100),
                                "alpha",
                                new BindingValue.Remote(
                                        "counter", List.of(new BindingValue.Interface("acme.Counting", 7))),
                                1102))),
                new TreeMap<>(Map.of("night", night())),
                new TreeMap<>(Map.of(
                        "shop", new Deployment("shop", "ab".repeat(32), 4096, 900, new TreeSet<>(List.of("alpha"))))),
                new TreeMap<>(
                        Map.of("counter", new Checkpoint("counter", "last", "file-17", new Fence(1, 1100), 1150))),
                new TreeMap<>(),
                PurgeLog.EMPTY,
                List.of(
                        new Transition(
                                900, Transition.What.DEPLOYMENT, "shop", "", "", Fence.NONE, "deployed", "token", 0),
                        new Transition(
                                1100,
                                Transition.What.SINGLETON,
                                "counter",
                                "gamma",
                                "alpha",
                                new Fence(1, 1100),
                                "the lease of gamma expired",
                                "member:beta",
                                1_000)));
    }

    /** The same with the singleton of a deployment active on beta. */
    static ClusterState elsewhere(ClusterState s) {
        return with(
                s,
                new SingletonState(
                        SingletonSpec.of("counter", "acme.Counter").deployedBy("shop"),
                        Phase.ACTIVE,
                        "beta",
                        0x3c4d,
                        new Fence(1, 1100),
                        null,
                        new TreeSet<>(),
                        0,
                        0,
                        Fence.NONE,
                        "migrated",
                        1101,
                        2_500_000));
    }

    /** The same with the singleton of a deployment paused. */
    static ClusterState paused(ClusterState s) {
        return with(
                s,
                new SingletonState(
                        SingletonSpec.of("counter", "acme.Counter").deployedBy("shop"),
                        Phase.PAUSED,
                        null,
                        0,
                        Fence.NONE,
                        null,
                        new TreeSet<>(),
                        0,
                        0,
                        Fence.NONE,
                        "paused",
                        1101,
                        0));
    }

    /** The singleton of a deployment that failed everywhere. */
    static SingletonState waiting(long pauseMillis) {
        return new SingletonState(
                SingletonSpec.of("counter", "acme.Counter").deployedBy("shop").attempting(2, pauseMillis),
                Phase.WAITING,
                null,
                0,
                Fence.NONE,
                null,
                new TreeSet<>(),
                1,
                0,
                Fence.NONE,
                "no luck",
                1101,
                0);
    }

    static ClusterState with(ClusterState s, SingletonState counter) {
        return new ClusterState(
                s.applied(),
                s.epoch(),
                s.tookOver(),
                s.boot(),
                s.fenceRefusals(),
                s.members(),
                s.leases(),
                new TreeMap<>(Map.of("counter", counter)),
                s.bindings(),
                s.timers(),
                s.deployments(),
                s.checkpoints(),
                s.configurations(),
                s.purges(),
                s.history());
    }

    static LeaseState lease(String name, @Nullable String owner, long incarnation, long fence) {
        return new LeaseState(name, owner, incarnation, 1, new Fence(1, fence), 1190, 2);
    }

    private static SingletonState counter() {
        return new SingletonState(
                SingletonSpec.of("counter", "acme.Counter").preferring("gamma"),
                Phase.ACTIVE,
                "alpha",
                0x1a2b,
                new Fence(1, 1100),
                null,
                new TreeSet<>(),
                0,
                0,
                Fence.NONE,
                "the lease of gamma expired",
                1101,
                2_500_000);
    }

    private static TimerState night() {
        TimerSpec spec = new TimerSpec("night", "0 3 * * *", "UTC", Misfire.SKIP, "message:queue/demo");
        return new TimerState(spec, 0, 10_800_000, new Fence(1, 50), true, "", 0, 0, Fence.NONE, false, false, 12, 60);
    }

    @Override
    public Map<String, Long> estimates() {
        return Map.of("member/alpha", 1L, "member/beta", 8_200_000_000L);
    }

    @Override
    public LogStatus log() {
        return new LogStatus(
                LogStatus.Role.FOLLOWER,
                "beta",
                7,
                1200,
                1210,
                List.of(new LogStatus.Peer("alpha", "", false, -1), new LogStatus.Peer("gamma", "", true, 812)));
    }

    @Override
    public CompletableFuture<Void> barrier() {
        return barrier;
    }

    @Override
    public String waiting() {
        return waiting;
    }

    @Override
    public @Nullable Outage outage() {
        return outage;
    }

    @Override
    public Map<String, Long> remaining() {
        return held;
    }

    @Override
    public Instant next(TimerState timer) {
        return Instant.ofEpochMilli(timer.lastScheduled()).plusSeconds(86_400);
    }

    @Override
    public CompletableFuture<Answer> propose(Command command, String by) {
        asked.add(by + " " + command);
        return answer;
    }

    @Override
    public CompletableFuture<String> membership(String what, String member, String address) {
        asked.add(what + " " + member + " " + address);
        if (membership != null) {
            return CompletableFuture.failedFuture(membership);
        }
        return CompletableFuture.completedFuture(what + " was done");
    }

    @Override
    public CompletableFuture<Deployed> deploy(String what, String name, Path archive, String by, String reason) {
        asked.add(by + " " + what + " " + name + " " + archive + " " + reason);
        if (deployed != null) {
            return deployed;
        }
        return name.equals("broken")
                ? CompletableFuture.failedFuture(new DeployFault("no singleton is in it"))
                : CompletableFuture.completedFuture(new Deployed(name, name + " " + what + "ed"));
    }
}
