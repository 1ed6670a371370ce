package io.weir.kernel.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.base.Live;
import io.weir.base.RecordingLog;
import io.weir.base.Stats;
import io.weir.base.SteppedClock;
import io.weir.kernel.Await;
import io.weir.kernel.Configs;
import io.weir.kernel.settings.KernelMessages;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Work managers with classes, constraints and the check for stuck threads; a stepped clock. */
class WorkManagersTest {
    private final Stats stats = new Stats();
    private final RecordingLog log = new RecordingLog();
    private final SteppedClock clock = new SteppedClock(0);
    private final TestWork work = new TestWork(stats, log, clock);
    private final List<Gate> gates = new ArrayList<>();
    private WorkManagers managers = work.all(new Live<>(WorkConfig.NONE), Map.of());

    /** Work that runs until it is released. */
    private final class Gate implements RequestWork {
        private final CountDownLatch began = new CountDownLatch(1);
        private final CountDownLatch open = new CountDownLatch(1);

        Gate() {
            gates.add(this);
        }

        @Override
        public void run() {
            began.countDown();
            await(open);
        }

        Gate begun() {
            await(began);
            return this;
        }

        void let() {
            open.countDown();
        }

        @Override
        public Subject subject() {
            return new Subject(7, 0, "192.0.2.1", "default", "GET", "/slow", "hang");
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(3, TimeUnit.MINUTES)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @AfterEach
    void stop() {
        gates.forEach(Gate::let);
        managers.close();
    }

    private static RequestClassConfig share(int share) {
        return Configs.bind(RequestClassConfig.class, "fair-share=" + share);
    }

    private static ConstraintsConfig constraints(String... settings) {
        return Configs.bind(ConstraintsConfig.class, settings);
    }

    private WorkManager manager(String name) {
        return Objects.requireNonNull(managers.all().get(name));
    }

    private RequestClass of(String name) {
        return Objects.requireNonNull(managers.requestClass(name));
    }

    private Gate busy(WorkManager w) {
        Gate gate = new Gate();
        assertThat(w.execute(gate)).isTrue();
        return gate.begun();
    }

    /**
     * One busy thread, so that nothing but the work itself steps the clock: a millisecond for each piece; half of all is
     * done when it is counted.
     */
    @Test
    void twoClassesUnderSaturationCompleteFourToOne() throws Exception {
        WorkConfig classes = new WorkConfig(Map.of("gold", share(80), "bronze", share(20)), ConstraintsConfig.NONE);
        managers = work.all(new Live<>(classes), Map.of("w", Configs.work("min-threads=0", "max-threads=1")));
        WorkManager w = manager("w");
        Gate first = busy(w);
        List<String> done = Collections.synchronizedList(new ArrayList<>());
        CountDownLatch all = new CountDownLatch(2000);
        for (int i = 0; i < 1000; i++) {
            for (String name : List.of("gold", "bronze")) {
                assertThat(w.execute(of(name), () -> {
                            clock.step(Duration.ofMillis(1));
                            done.add(name);
                            all.countDown();
                        }))
                        .isTrue();
            }
        }
        first.let();
        await(all);
        long gold = done.subList(0, 1000).stream().filter("gold"::equals).count();
        assertThat(gold).isBetween(780L, 820L);
        Await.until("all counted", () -> stats.sum(WorkStats.CLASS_COMPLETED) == 2001);
        assertThat(stats.value(WorkStats.CLASS_COMPLETED, "gold")).isEqualTo(1000);
        assertThat(stats.value(WorkStats.CLASS_COMPLETED, "work-manager:w")).isOne();
        assertThat(stats.value(WorkStats.CLASS_WAITING, "gold")).isZero();
    }

    @Test
    void aStuckPoolDoesNotSlowAnother() {
        managers = work.all(
                new Live<>(WorkConfig.NONE),
                Map.of(
                        "hangs", Configs.work("min-threads=1", "max-threads=1", "queue-capacity=1"),
                        "works", Configs.work("min-threads=1", "max-threads=1", "queue-capacity=1")));
        busy(manager("hangs"));
        assertThat(manager("hangs").execute(new Gate())).isTrue();
        assertThat(manager("hangs").execute(() -> {})).isFalse();
        for (int i = 0; i < 50; i++) {
            CountDownLatch ran = new CountDownLatch(1);
            assertThat(manager("works").execute(ran::countDown)).isTrue();
            await(ran);
            Await.until(
                    "idle",
                    () -> manager("works").queued() == 0 && manager("works").idleThreads() == 1);
        }
        assertThat(stats.value(WorkStats.REFUSED, "works")).isZero();
    }

    @Test
    void contextClassesChooseByUserThenGroupThenOtherwise() {
        RequestClassConfig context = Configs.bind(
                RequestClassConfig.class,
                "context.users.ann=gold",
                "context.groups.vip=gold",
                "context.groups.slow=bronze",
                "context.otherwise=bronze");
        managers = work.all(
                new Live<>(new WorkConfig(
                        Map.of("gold", share(80), "bronze", share(20), "who", context), ConstraintsConfig.NONE)),
                Map.of("w", Configs.work("request-class=who", "max-threads=1")));
        RequestClass who = manager("w").requestClass();
        assertThat(who.of("ann", null)).isSameAs(of("gold"));
        assertThat(who.of("bob", "none, vip,slow")).isSameAs(of("gold"));
        assertThat(who.of("bob", "slow")).isSameAs(of("bronze"));
        assertThat(who.of(null, null)).isSameAs(of("bronze"));
        assertThat(manager("w").service(RequestClass.DEFAULT)).isSameAs(of("bronze"));
    }

    @Test
    void aMaxThreadsConstraintIsSharedAndOtherWorkPassesIt() throws Exception {
        managers = work.all(
                new Live<>(new WorkConfig(Map.of(), constraints("max-threads.db.count=2"))),
                Map.of(
                        "a", Configs.work("max-threads=4", "max-threads-constraint=db"),
                        "b", Configs.work("max-threads=4", "max-threads-constraint=db"),
                        "c", Configs.work("threads-of=b")));
        Gate one = busy(manager("a"));
        busy(manager("b"));
        Gate waits = new Gate();
        Gate waitsToo = new Gate();
        assertThat(manager("b").execute(waits)).isTrue();
        assertThat(manager("a").execute(waitsToo)).isTrue();
        CountDownLatch passed = new CountDownLatch(1);
        assertThat(manager("c").execute(passed::countDown)).isTrue();
        await(passed);
        assertThat(stats.value(WorkStats.MAX_RUNNING, "db")).isEqualTo(2);
        assertThat(waits.began.getCount() + waitsToo.began.getCount()).isEqualTo(2);
        one.let();
        Await.until("one of the two", () -> waits.began.getCount() + waitsToo.began.getCount() == 1);
        assertThat(stats.value(WorkStats.MAX_RUNNING, "db")).isEqualTo(2);
        gates.forEach(Gate::let);
        waits.begun();
        waitsToo.begun();
        Await.until("all over", () -> stats.value(WorkStats.MAX_RUNNING, "db") == 0);
    }

    @Test
    void aMinThreadsConstraintGetsItsThreadWhenAllAreBusy() {
        managers = work.all(
                new Live<>(new WorkConfig(Map.of(), constraints("min-threads.call.count=1"))),
                Map.of(
                        "all", Configs.work("min-threads=0", "max-threads=2"),
                        "calls", Configs.work("threads-of=all", "min-threads-constraint=call")));
        busy(manager("all"));
        busy(manager("all"));
        assertThat(manager("all").execute(new Gate())).isTrue();
        Gate call = busy(manager("calls"));
        assertThat(stats.value(WorkStats.EXTRA, "all")).isOne();
        Gate second = new Gate();
        assertThat(manager("calls").execute(second)).isTrue();
        assertThat(manager("calls").minThreadsPending()).isOne();
        assertThat(second.began.getCount()).isOne();
        call.let();
        second.begun().let();
        Await.until("the thread beyond the limit ends", () -> stats.value(WorkStats.EXTRA, "all") == 0);
        assertThat(manager("calls").minThreadsCompleted()).isEqualTo(2);
        assertThat(stats.value(WorkStats.MIN_PENDING, "call")).isZero();
    }

    @Test
    void aCapacityCountsWhatRunsAndWaitsAndIsShared() {
        managers = work.all(
                new Live<>(new WorkConfig(Map.of(), constraints("capacity.front.count=3"))),
                Map.of(
                        "a", Configs.work("max-threads=1", "capacity=front"),
                        "b", Configs.work("max-threads=1", "capacity=front")));
        Gate runs = busy(manager("a"));
        assertThat(manager("a").execute(new Gate())).isTrue();
        busy(manager("b"));
        assertThat(manager("b").execute(() -> {})).isFalse();
        assertThat(manager("b").admit(() -> RequestClass.DEFAULT)).isFalse();
        assertThat(stats.value(WorkStats.CAPACITY_REFUSED, "front")).isEqualTo(2);
        assertThat(stats.value(WorkStats.REFUSED, "b")).isEqualTo(2);
        assertThat(stats.value(WorkStats.CAPACITY_USED, "front")).isEqualTo(3);
        runs.let();
        Await.until("one is over", () -> stats.value(WorkStats.CAPACITY_USED, "front") == 2);
        assertThat(manager("b").execute(new Gate())).isTrue();
    }

    @Test
    void aStuckThreadIsLoggedWithItsStackOnceAndSoIsItsEnd() {
        managers = work.all(new Live<>(WorkConfig.NONE), Map.of("w", Configs.work("max-threads=1")));
        Gate hang = busy(manager("w"));
        clock.step(Duration.ofSeconds(599));
        managers.second();
        assertThat(log.count(KernelMessages.STUCK)).isZero();
        assertThat(manager("w").hoggingThreads()).isOne();
        clock.step(Duration.ofSeconds(93));
        managers.second();
        clock.step(Duration.ofMinutes(1));
        managers.second();
        RecordingLog.Entry said = log.entries().stream()
                .filter(e -> e.message() == KernelMessages.STUCK)
                .reduce((_, _) -> {
                    throw new AssertionError("logged twice");
                })
                .orElseThrow();
        assertThat(said.arguments())
                .startsWith(
                        "ExecuteThread: '0' for queue: 'weir.work.w'", 692L, "GET /slow from 192.0.2.1 in hang", 600L);
        assertThat(said.arguments().getLast().toString()).contains("WorkManagersTest$Gate.run");
        assertThat(manager("w").stuckThreads()).isOne();
        assertThat(manager("w").hoggingThreads()).isZero();
        assertThat(stats.value(WorkStats.STUCK_TOTAL, "w")).isOne();
        assertThat(managers.stuckRequests()).hasSize(1);
        assertThat(Thread.getAllStackTraces().keySet())
                .extracting(Thread::getName)
                .contains("[STUCK] ExecuteThread: '0' for queue: 'weir.work.w'");
        hang.let();
        Await.until("unstuck", () -> log.count(KernelMessages.UNSTUCK) == 1);
        assertThat(manager("w").stuckThreads()).isZero();
        assertThat(managers.stuckRequests()).isEmpty();
        assertThat(Thread.getAllStackTraces().keySet())
                .extracting(Thread::getName)
                .contains("ExecuteThread: '0' for queue: 'weir.work.w'");
    }

    @Test
    void stuckThreadsShutAWorkManagerDownUntilNoneIsStuck() {
        managers = work.all(
                new Live<>(WorkConfig.NONE),
                Map.of(
                        "w",
                        Configs.work(
                                "max-threads=3",
                                "shut-down-trigger.stuck-thread-count=2",
                                "shut-down-trigger.max-stuck-thread-time=10s"),
                        "neighbour",
                        Configs.work("threads-of=w")));
        Gate one = busy(manager("w"));
        clock.step(Duration.ofSeconds(10));
        managers.second();
        assertThat(manager("w").shutDown()).isFalse();
        Gate two = busy(manager("w"));
        Gate pending = busy(manager("w"));
        CountDownLatch finished = new CountDownLatch(1);
        assertThat(manager("w").execute(finished::countDown)).isTrue();
        clock.step(Duration.ofSeconds(9));
        pending.let();
        await(finished);
        busy(manager("neighbour"));
        clock.step(Duration.ofSeconds(1));
        CountDownLatch late = new CountDownLatch(1);
        assertThat(manager("w").execute(late::countDown)).isTrue();
        managers.second();
        assertThat(manager("w").shutDown()).isTrue();
        assertThat(stats.value(WorkStats.SHUT_DOWN, "w")).isOne();
        assertThat(manager("w").execute(() -> {})).isFalse();
        assertThat(manager("w").admit(() -> RequestClass.DEFAULT)).isFalse();
        assertThat(manager("neighbour").execute(() -> {})).isTrue();
        assertThat(log.count(KernelMessages.SHUT_DOWN)).isOne();
        one.let();
        two.let();
        await(late);
        clock.step(Duration.ofSeconds(1));
        Await.until("both returned", () -> manager("w").idleThreads() >= 2);
        managers.second();
        assertThat(manager("w").shutDown()).isFalse();
        assertThat(log.count(KernelMessages.RESUMED)).isOne();
        assertThat(manager("w").execute(() -> {})).isTrue();
        assertThat(stats.value(WorkStats.SHUT_DOWNS, "w")).isOne();
    }

    @Test
    void withoutResumingItStaysShutDown() {
        managers = work.all(
                new Live<>(WorkConfig.NONE),
                Map.of(
                        "w",
                        Configs.work(
                                "max-threads=1",
                                "shut-down-trigger.stuck-thread-count=1",
                                "shut-down-trigger.resume-when-unstuck=off")));
        Gate hang = busy(manager("w"));
        clock.step(Duration.ofMinutes(10));
        managers.second();
        assertThat(manager("w").shutDown()).isTrue();
        hang.let();
        Await.until("returned", () -> manager("w").idleThreads() == 1);
        clock.step(Duration.ofMinutes(1));
        managers.second();
        assertThat(manager("w").shutDown()).isTrue();
    }

    @Test
    void countsOfConstraintsFollowALiveChange() {
        Live<WorkConfig> live = new Live<>(new WorkConfig(Map.of(), constraints("max-threads.db.count=1")));
        managers = work.all(live, Map.of("a", Configs.work("max-threads=4", "max-threads-constraint=db")));
        busy(manager("a"));
        Gate waits = new Gate();
        assertThat(manager("a").execute(waits)).isTrue();
        assertThat(waits.began.getCount()).isOne();
        live.set(new WorkConfig(Map.of(), constraints("max-threads.db.count=2")));
        waits.begun();
    }

    @Test
    void whatIsHeldBackIsFinishedBeforeTheThreadsEnd() {
        managers = work.all(
                new Live<>(new WorkConfig(Map.of(), constraints("max-threads.db.count=1"))),
                Map.of("a", Configs.work("min-threads=2", "max-threads=2", "max-threads-constraint=db")));
        Gate runs = busy(manager("a"));
        CountDownLatch rest = new CountDownLatch(5);
        for (int i = 0; i < 5; i++) {
            assertThat(manager("a").execute(rest::countDown)).isTrue();
        }
        var stopped = manager("a").stop();
        runs.let();
        stopped.orTimeout(20, TimeUnit.SECONDS).join();
        assertThat(rest.getCount()).isZero();
    }

    @Test
    void unknownNamesAreRefused() {
        assertThatThrownBy(() -> work.all(new Live<>(WorkConfig.NONE), Map.of("a", Configs.work("request-class=gold"))))
                .hasMessageContaining("no request class \"gold\"");
    }
}
