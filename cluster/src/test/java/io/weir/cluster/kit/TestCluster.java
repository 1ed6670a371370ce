package io.weir.cluster.kit;

import io.weir.base.RecordingLog;
import io.weir.base.Stats;
import io.weir.cluster.lease.LeaderSettings;
import io.weir.cluster.lease.LeaseSafety;
import io.weir.cluster.lease.LeaseTimes;
import io.weir.cluster.log.ConsensusLog;
import io.weir.cluster.node.ClusterNode;
import io.weir.cluster.node.NodeParts;
import io.weir.cluster.node.NodeSettings;
import io.weir.cluster.singleton.Activations;
import io.weir.cluster.singleton.SingletonTimes;
import io.weir.cluster.state.singletons.Phase;
import io.weir.cluster.state.singletons.SingletonSpec;
import io.weir.cluster.state.singletons.SingletonState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;

/** Members on one stepped clock and one log in memory; the first leads. Leases of 9 s, activation 30 s, deactivation 10 s. */
public final class TestCluster {
    public static final LeaseTimes TIMES = LeaseTimes.of(Duration.ofSeconds(9));

    /** One of them. */
    public final class Member {
        public final ClusterNode node;
        public final TestServices services;
        public final Stats stats = new Stats();
        public final RecordingLog log = new RecordingLog();
        public final ConsensusLog consensus;
        private int halts;

        Member(String name, int members, long incarnation) {
            services = new TestServices(name, calls);
            SingletonTimes times = new SingletonTimes(Duration.ofSeconds(30), Duration.ofSeconds(10), 4, haltOnHang);
            LeaderSettings leader =
                    new LeaderSettings(TIMES, Duration.ofSeconds(39), Duration.ofSeconds(10), members, false);
            NodeSettings settings =
                    new NodeSettings("test", name, "storage-" + name, name + ":7001", false, TIMES, times, leader);
            node = new ClusterNode(settings, incarnation, loop, LeaseSafety.SAFE, stats, log);
            consensus = shared.open(name, node.holder());
            listening.accept(name, node);
            node.aliveOnce(() -> !heldBack.contains(name));
            node.start(new NodeParts(consensus, null, activations.apply(this), () -> halts++));
        }

        public int halts() {
            return halts;
        }
    }

    public final TestLoop loop = new TestLoop();
    public final TestLog shared = new TestLog();
    public final List<String> calls = new ArrayList<>();
    /** Members that may not be alive yet. */
    public final Set<String> heldBack = new HashSet<>();

    public final Map<String, Member> members = new LinkedHashMap<>();
    private Function<Member, Activations> activations = m -> m.services;
    private BiConsumer<String, ClusterNode> listening = (_, _) -> {};
    private boolean haltOnHang;
    private long incarnations = 100;

    public TestCluster haltingOnHang() {
        haltOnHang = true;
        return this;
    }

    /** Called with each member before it starts. */
    public TestCluster listening(BiConsumer<String, ClusterNode> with) {
        listening = with;
        return this;
    }

    public TestCluster running(Function<Member, Activations> code) {
        activations = code;
        return this;
    }

    public TestCluster start(String... names) {
        return startSome(names.length, names);
    }

    /** Some of the members that are configured. */
    public TestCluster startSome(int configured, String... names) {
        for (String name : names) {
            members.put(name, new Member(name, configured, incarnations++));
        }
        shared.lead(names[0]);
        loop.pass(Duration.ofMillis(600));
        return this;
    }

    /** The process ends without a word; its successor is another life of the same member. */
    public void kill(String name) {
        Member m = member(name);
        m.node.close();
        m.consensus.close();
        loop.run();
        members.remove(name);
        if (name.equals(shared.leader())) {
            shared.lead(members.keySet().iterator().next());
        }
    }

    public Member restart(String name) {
        Member m = new Member(name, members.size() + 1, incarnations++);
        members.put(name, m);
        return m;
    }

    public Member member(String name) {
        Member m = members.get(name);
        if (m == null) {
            throw new IllegalStateException(name + " is not there");
        }
        return m;
    }

    public void define(SingletonSpec spec) {
        var _ = members.values().iterator().next().node.define(List.of(spec));
        loop.pass(Duration.ofMillis(20));
    }

    public SingletonState singleton(String name) {
        SingletonState s = members.values().iterator().next().node.now().singleton(name);
        if (s == null) {
            throw new IllegalStateException(name + " is not there");
        }
        return s;
    }

    /** Where it is active; empty when nowhere. */
    public String active(String name) {
        SingletonState s = singleton(name);
        String member = s.member();
        return s.phase() == Phase.ACTIVE && member != null ? member : "";
    }
}
