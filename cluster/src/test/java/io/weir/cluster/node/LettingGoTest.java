package io.weir.cluster.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.Fence;
import io.weir.base.Log;
import io.weir.cluster.SingletonService;
import io.weir.cluster.kit.TestCluster;
import io.weir.cluster.kit.TestLog.Mood;
import io.weir.cluster.kit.TestServices.Manner;
import io.weir.cluster.singleton.Activation;
import io.weir.cluster.singleton.ServiceObject;
import io.weir.cluster.singleton.ServiceThreads;
import io.weir.cluster.singleton.SingletonStage;
import io.weir.cluster.state.deployments.DeploymentCommand;
import io.weir.cluster.state.singletons.SingletonCommand;
import io.weir.cluster.state.singletons.SingletonSpec;
import io.weir.cluster.state.singletons.SingletonState;
import io.weir.cluster.stats.ClusterMessages;
import io.weir.cluster.stats.ClusterStats;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How a member ends what it runs: every deactivation is called, by one deadline, and nobody begins before. */
class LettingGoTest {
    private static final SingletonSpec S = SingletonSpec.of("s", "C");
    /** More than a member has threads for activations. */
    private static final int MANY = 40;

    private static final int THREADS = 16;

    private final TestCluster c = new TestCluster();
    private final List<ServiceThreads> threads = new ArrayList<>();
    private final Set<String> active = ConcurrentHashMap.newKeySet();
    private final CountDownLatch gate = new CountDownLatch(1);

    @AfterEach
    void close() {
        gate.countDown();
        threads.forEach(ServiceThreads::close);
    }

    private void pass(Duration time) {
        c.loop.pass(time);
    }

    private static Duration millis(long n) {
        return Duration.ofMillis(n);
    }

    private SingletonStage stage(String member) {
        return c.member(member).node.here().stream()
                .filter(h -> h.service().equals("s"))
                .findFirst()
                .orElseThrow()
                .stage();
    }

    private void propose(SingletonCommand command) {
        var _ = c.member("a").node.proposer().propose(command, "operator");
        pass(millis(50));
    }

    // With more of them than threads

    /** One of many, whose end takes until the gate opens. */
    private final class Held implements SingletonService {
        private final String name;

        Held(String name) {
            this.name = name;
        }

        @Override
        public void activate(Fence fence) {
            active.add(name + "@" + fence);
        }

        @Override
        public void deactivate() throws InterruptedException {
            if (!gate.await(60, TimeUnit.SECONDS)) {
                throw new IllegalStateException("the gate was never opened");
            }
            Activation a = Activation.current();
            active.remove(name + "@" + (a == null ? "" : a.fence()));
        }
    }

    private void many(SingletonSpec like) {
        c.running(m -> {
            ServiceThreads t = new ServiceThreads(
                    c.loop,
                    spec -> new ServiceObject(new Held(spec.name()), new Object()),
                    m.node.services(),
                    THREADS,
                    Log.NONE);
            threads.add(t);
            return t;
        });
        c.start("a", "b", "c");
        List<SingletonSpec> specs = IntStream.range(0, MANY)
                .mapToObj(i -> SingletonSpec.of("s" + i, like.className()).preferring("b"))
                .map(s -> like.deployment() == null ? s : s.deployedBy(like.deployment()))
                .toList();
        if (like.deployment() == null) {
            var _ = c.member("a").node.define(specs);
        } else {
            deploy(like.deployment(), 1, specs);
        }
        c.loop.until("all are active", () -> active.size() == MANY);
        pass(millis(20));
    }

    private void deploy(String name, int version, List<SingletonSpec> specs) {
        var _ = c.member("a")
                .node
                .proposer()
                .propose(
                        new DeploymentCommand.Deploy(name, String.format("%064x", version), 1, "a", specs), "operator");
    }

    private long deactivating(String member) {
        return c.member(member).node.here().stream()
                .filter(h -> h.stage() == SingletonStage.DEACTIVATING)
                .count();
    }

    /** By lease, the fence with which it is held. */
    private Set<String> leases() {
        Set<String> held = new TreeSet<>();
        c.member("a").node.now().leases().values().stream()
                .filter(l -> !l.free() && l.name().startsWith("singleton/"))
                .forEach(l -> held.add(l.name().substring("singleton/".length()) + "@" + l.fence()));
        return held;
    }

    /** None of the old ones' leases is given up before its code has returned, and each one's code is called. */
    private void allEnd() {
        Set<String> before = new TreeSet<>(active);
        assertThat(deactivating("b")).isEqualTo(MANY);
        pass(millis(100));
        assertThat(leases()).as("nobody else begins").isEqualTo(before);
        gate.countDown();
        c.loop.until("the old ones have ended", () -> active.stream().noneMatch(before::contains));
        c.loop.until("the new ones are active", () -> active.size() == MANY);
        assertThat(c.member("b").stats.value(ClusterStats.TRANSITIONS, "deactivated"))
                .isEqualTo(MANY);
    }

    @Test
    void aMemberThatStopsDeactivatesMoreThanItHasThreads() {
        many(S);
        var left = c.member("b").node.leave(Duration.ofSeconds(60));
        pass(millis(20));
        allEnd();
        c.loop.until("it has left", () -> {
            pass(millis(5));
            return left.isDone();
        });
    }

    @Test
    void aRedeploymentDeactivatesMoreThanThereAreThreads() {
        SingletonSpec deployed = S.deployedBy("archive");
        many(deployed);
        deploy(
                "archive",
                2,
                c.member("a").node.now().singletons().values().stream()
                        .map(SingletonState::spec)
                        .toList());
        pass(millis(20));
        allEnd();
    }

    @Test
    void aMemberWithoutAMajorityDeactivatesMoreThanItHasThreads() {
        many(S);
        Set<String> before = new TreeSet<>(active);
        c.shared.mood("b", Mood.CUT_OFF);
        pass(millis(7800));
        assertThat(deactivating("b")).isEqualTo(MANY);
        gate.countDown();
        c.loop.until("the old ones have ended", () -> active.stream().noneMatch(before::contains));
        assertThat(c.member("b").stats.value(ClusterStats.TRANSITIONS, "deactivated"))
                .isEqualTo(MANY);
        assertThat(c.member("b").stats.value(ClusterStats.TRANSITIONS, "isolated"))
                .isZero();
    }

    // What cannot be begun

    @Test
    void aDeactivationThatCannotBeBegunKeepsItsLeaseUntilItRan() {
        c.start("a", "b").define(S.preferring("b"));
        c.member("b").services.deactivating(Manner.NOT_BEGUN);
        propose(new SingletonCommand.Migrate("s", "a", "away"));
        pass(Duration.ofSeconds(9));
        assertThat(stage("b")).isEqualTo(SingletonStage.DEACTIVATING);
        assertThat(c.member("b").services.notBegun()).as("it is tried again").isGreaterThan(10);
        assertThat(c.calls).containsExactly("activate s on b");
        assertThat(c.member("b").stats.value(ClusterStats.TRANSITIONS, "deactivated"))
                .isZero();
        assertThat(c.member("b").stats.value(ClusterStats.TRANSITIONS, "not-begun"))
                .isEqualTo(c.member("b").services.notBegun());
        assertThat(c.member("b").log.count(ClusterMessages.NOT_BEGUN)).isEqualTo(1);
        c.member("b").services.deactivating(Manner.AT_ONCE);
        pass(millis(200));
        assertThat(c.calls).containsExactly("activate s on b", "deactivate s on b", "activate s on a");
    }

    @Test
    void aDeactivationThatCannotBeBegunInTimeCountsAsOneThatHangs() {
        c.start("a", "b").define(S.preferring("b"));
        c.member("b").services.deactivating(Manner.NOT_BEGUN);
        Fence fence = c.singleton("s").fence();
        propose(new SingletonCommand.Migrate("s", "a", "away"));
        pass(Duration.ofSeconds(12));
        assertThat(stage("b")).isEqualTo(SingletonStage.ISOLATED);
        assertThat(c.member("b").node.guard().admits("bind", "singleton/s", fence))
                .isFalse();
        assertThat(c.active("s")).isEqualTo("a");
        c.member("b").services.deactivating(Manner.AT_ONCE);
        pass(millis(200));
        assertThat(c.calls).as("it is called at last").endsWith("deactivate s on b");
        assertThat(stage("b")).isEqualTo(SingletonStage.ABSENT);
    }

    // The deadline

    /** Exactly where it is due, not at the next look. */
    @Test
    void itIsLetGoTheGraceBeforeTheEndAndOverAtTheEnd() {
        c.start("a", "b", "c").define(S.preferring("b"));
        c.member("b").services.deactivating(Manner.HANG);
        c.shared.mood("b", Mood.CUT_OFF);
        long end = c.member("b").node.held().stream()
                .filter(h -> h.lease().equals("singleton/s"))
                .findFirst()
                .orElseThrow()
                .deadline();
        long grace = TestCluster.TIMES.grace().minus(TestCluster.TIMES.margin()).toNanos();
        pass(Duration.ofNanos(end - grace - c.loop.clock().nanos()));
        assertThat(c.calls).containsExactly("activate s on b", "deactivate s on b");
        assertThat(stage("b")).isEqualTo(SingletonStage.DEACTIVATING);
        assertThat(c.member("b").services.losses()).hasSize(1);
        pass(Duration.ofNanos(end - c.loop.clock().nanos()));
        assertThat(stage("b")).isEqualTo(SingletonStage.ISOLATED);
        assertThat(c.member("b").services.interrupts())
                .as("it waits for nothing any more")
                .isEqualTo(1);
    }

    @Test
    void whatDoesNotLetGoByTheEndHaltsTheProcessBeforeAnybodyElseBegins() {
        c.haltingOnHang().start("a", "b", "c").define(S.preferring("b"));
        c.member("b").services.deactivating(Manner.HANG);
        c.shared.mood("b", Mood.CUT_OFF);
        while (c.member("b").halts() == 0) {
            assertThat(c.calls).as("nobody else has begun").doesNotContain("activate s on a", "activate s on c");
            pass(millis(5));
        }
        pass(Duration.ofSeconds(2));
        assertThat(c.calls).containsAnyOf("activate s on a", "activate s on c");
    }

    /** A process that was stopped for longer than its lease gets the grace that it would have had. */
    @Test
    void aProcessThatWasStoppedIsNotHaltedBeforeItsServicesCouldLetGo() {
        c.haltingOnHang().start("a").define(S);
        c.member("a").services.deactivating(Manner.HANG);
        c.loop.freeze(Duration.ofSeconds(60));
        c.loop.run();
        assertThat(stage("a")).isEqualTo(SingletonStage.ISOLATED);
        pass(TestCluster.TIMES.grace().minus(millis(10)));
        assertThat(c.member("a").halts()).isZero();
        pass(millis(20));
        assertThat(c.member("a").halts()).isEqualTo(1);
    }

    /** In a planned move, too: its lease is held on until the process is halted. */
    @Test
    void nobodyBeginsWhileOneThatHangsIsToBeHalted() {
        c.haltingOnHang().start("a", "b").define(S.preferring("b"));
        c.member("b").services.deactivating(Manner.HANG);
        propose(new SingletonCommand.Migrate("s", "a", "away"));
        Activation hangs = c.member("b").services.hanging().get(0);
        pass(Duration.ofSeconds(11));
        assertThat(stage("b")).isEqualTo(SingletonStage.ISOLATED);
        assertThat(hangs.valid()).isFalse();
        assertThat(hangs.remaining()).isZero();
        pass(Duration.ofSeconds(8));
        assertThat(c.member("b").halts()).isZero();
        assertThat(c.calls).containsExactly("activate s on b", "deactivate s on b");
        pass(Duration.ofSeconds(2));
        assertThat(c.member("b").halts()).isEqualTo(1);
    }

    /** It is cut off and interrupted when its time is over, and its lease is held for as long as code that listens needs to end. */
    @Test
    void oneThatHangsInAPlannedMoveAndListensEndsBeforeAnybodyElseBegins() {
        c.start("a", "b").define(S.preferring("b"));
        c.member("b").services.deactivating(Manner.HANG);
        propose(new SingletonCommand.Migrate("s", "a", "away"));
        Activation hangs = c.member("b").services.hanging().get(0);
        pass(Duration.ofSeconds(11));
        assertThat(stage("b")).isEqualTo(SingletonStage.ISOLATED);
        assertThat(hangs.valid()).isFalse();
        assertThat(c.member("b").services.interrupts()).isEqualTo(1);
        assertThat(c.calls).containsExactly("activate s on b", "deactivate s on b");
        c.member("b").services.comeBack(hangs);
        pass(millis(50));
        assertThat(c.active("s")).isEqualTo("a");
        assertThat(stage("b")).isEqualTo(SingletonStage.ABSENT);
    }

    /** Nobody waits for ever for one that does not listen. */
    @Test
    void oneThatHangsInAPlannedMoveAndDoesNotListenIsReplacedAllTheSame() {
        c.start("a", "b").define(S.preferring("b"));
        c.member("b").services.deactivating(Manner.HANG);
        propose(new SingletonCommand.Migrate("s", "a", "away"));
        pass(Duration.ofSeconds(12));
        assertThat(c.active("s")).isEqualTo("a");
        assertThat(stage("b")).isEqualTo(SingletonStage.ISOLATED);
    }

    @Test
    void oneThatHangsAndReturnsBeforeItsProcessIsHaltedGivesItsLeaseUp() {
        c.haltingOnHang().start("a", "b").define(S.preferring("b"));
        c.member("b").services.deactivating(Manner.HANG);
        propose(new SingletonCommand.Migrate("s", "a", "away"));
        pass(Duration.ofSeconds(11));
        c.member("b").services.comeBack(c.member("b").services.hanging().get(0));
        pass(millis(50));
        assertThat(c.active("s")).isEqualTo("a");
        pass(Duration.ofSeconds(30));
        assertThat(c.member("b").halts()).isZero();
    }

    // Let go while it is being activated

    @Test
    void whatIsToBeLetGoWhileItIsActivatedIsDeactivatedWhenThatReturns() {
        c.start("a", "b", "c");
        c.member("b").services.activating(Manner.HANG);
        c.define(S.preferring("b"));
        c.shared.mood("b", Mood.CUT_OFF);
        pass(millis(7800));
        assertThat(c.calls).containsExactly("activate s on b");
        assertThat(c.member("b").services.losses()).as("it hears of the loss").hasSize(1);
        c.member("b").services.comeBack(c.member("b").services.hanging().get(0));
        pass(millis(20));
        assertThat(c.calls).containsExactly("activate s on b", "deactivate s on b");
        assertThat(c.member("b").stats.value(ClusterStats.TRANSITIONS, "isolated"))
                .isZero();
    }

    /** It heard of the loss and may have stopped: that renewals recovered meanwhile changes nothing for it. */
    @Test
    void whatHeardOfTheLossIsDeactivatedAlsoWhenItsLeaseRecovered() {
        c.start("a", "b", "c");
        c.member("b").services.activating(Manner.HANG);
        c.define(S.preferring("b"));
        c.shared.mood("b", Mood.CUT_OFF);
        pass(millis(7800));
        c.shared.mood("b", Mood.WELL);
        pass(Duration.ofSeconds(2));
        c.member("b").services.activating(Manner.AT_ONCE);
        c.member("b").services.comeBack(c.member("b").services.hanging().get(0));
        pass(millis(100));
        assertThat(c.calls).startsWith("activate s on b", "deactivate s on b");
        assertThat(c.active("s")).as("and is active again").isNotEmpty();
    }

    @Test
    void anActivationThatFailsBecauseItsLeaseIsBeingLostDoesNotCountAgainstTheMember() {
        c.start("a", "b");
        c.member("b").services.activating(Manner.HANG);
        c.define(S.preferring("b"));
        Activation a = c.member("b").services.hanging().get(0);
        c.shared.mood("b", Mood.CUT_OFF);
        pass(millis(7800));
        c.shared.mood("b", Mood.WELL);
        c.member("b").services.fail(a);
        pass(millis(100));
        assertThat(c.singleton("s").tried()).isEmpty();
    }

    /** It is interrupted when its time is over, and ends before anybody else begins. */
    @Test
    void anActivationThatTookTooLongAndReturnsIsDeactivatedBeforeItIsTriedElsewhere() {
        c.start("a", "b");
        c.member("b").services.activating(Manner.HANG);
        c.member("b").services.deactivating(Manner.HANG);
        c.define(S.preferring("b"));
        pass(millis(30_100));
        assertThat(stage("b")).isEqualTo(SingletonStage.ISOLATED);
        assertThat(c.member("b").services.interrupts()).isEqualTo(1);
        Activation late = c.member("b").services.hanging().get(0);
        assertThat(late.valid()).isFalse();
        c.member("b").services.comeBack(late);
        pass(Duration.ofSeconds(9));
        assertThat(c.calls).containsExactly("activate s on b", "deactivate s on b");
        c.member("b").services.comeBack(late);
        pass(millis(100));
        assertThat(c.calls).containsExactly("activate s on b", "deactivate s on b", "activate s on a");
    }

    @Test
    void anActivationThatTookTooLongAndDoesNotEndIsTriedElsewhereAllTheSame() {
        c.start("a", "b");
        c.member("b").services.activating(Manner.HANG);
        c.member("b").services.deactivating(Manner.HANG);
        c.define(S.preferring("b"));
        pass(millis(30_100));
        c.member("b").services.comeBack(c.member("b").services.hanging().get(0));
        pass(Duration.ofSeconds(11));
        assertThat(c.active("s")).isEqualTo("a");
        assertThat(stage("b")).isEqualTo(SingletonStage.ISOLATED);
    }

    @Test
    void anActivationThatIsStillUnderWayWhenItsLeaseIsOverIsInterrupted() {
        c.start("a", "b", "c");
        c.member("b").services.activating(Manner.HANG);
        c.define(S.preferring("b"));
        c.shared.mood("b", Mood.CUT_OFF);
        pass(millis(9000));
        assertThat(stage("b")).isEqualTo(SingletonStage.ISOLATED);
        assertThat(c.member("b").services.interrupts()).isEqualTo(1);
    }
}
