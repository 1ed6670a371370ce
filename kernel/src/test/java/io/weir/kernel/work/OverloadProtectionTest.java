package io.weir.kernel.work;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.Live;
import io.weir.base.RecordingLog;
import io.weir.base.Stats;
import io.weir.base.SteppedClock;
import io.weir.kernel.Await;
import io.weir.kernel.Configs;
import io.weir.kernel.settings.KernelMessages;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class OverloadProtectionTest {
    /** Work that runs until it may end. */
    private static final class Gate implements Runnable {
        private final CountDownLatch begun = new CountDownLatch(1);
        private final CountDownLatch open = new CountDownLatch(1);

        @Override
        public void run() {
            begun.countDown();
            await(open);
        }
    }

    private final Stats stats = new Stats();
    private final RecordingLog log = new RecordingLog();
    private final SteppedClock clock = new SteppedClock(1_000_000);
    private final TestWork work = new TestWork(stats, log, clock);
    private final List<Gate> gates = new ArrayList<>();
    private WorkManagers managers = work.all(new Live<>(WorkConfig.NONE), Map.of());

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(3, TimeUnit.MINUTES)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @AfterEach
    void stop() {
        gates.forEach(g -> g.open.countDown());
        managers.close();
    }

    private void protect(String... settings) {
        String[] all = new String[settings.length + 1];
        all[0] = "stuck-threads.timer-interval=1s";
        for (int i = 0; i < settings.length; i++) {
            all[i + 1] = "overload-protection." + settings[i];
        }
        work.config.set(Configs.kernel(all));
    }

    private WorkManager manager(String name) {
        return Objects.requireNonNull(managers.all().get(name));
    }

    private RequestClass of(String name) {
        return Objects.requireNonNull(managers.requestClass(name));
    }

    private Gate gate() {
        Gate gate = new Gate();
        gates.add(gate);
        return gate;
    }

    private Gate busy(WorkManager w) {
        Gate gate = gate();
        assertThat(w.execute(gate)).isTrue();
        await(gate.begun);
        return gate;
    }

    private void look() {
        clock.step(Duration.ofSeconds(1));
        managers.second();
    }

    @Test
    void theSharedCapacityCountsWhatRunsAndWaitsUnderAllWorkManagers() {
        protect("shared-capacity=3");
        managers = work.all(
                new Live<>(WorkConfig.NONE),
                Map.of("a", Configs.work("max-threads=1"), "b", Configs.work("max-threads=1")));
        Gate runs = busy(manager("a"));
        assertThat(manager("a").execute(gate())).isTrue();
        assertThat(manager("b").admit(() -> RequestClass.DEFAULT)).isTrue();
        assertThat(manager("b").execute(gate())).isFalse();
        assertThat(manager("b").admit(() -> RequestClass.DEFAULT)).isFalse();
        assertThat(stats.value(WorkStats.SHARED_USED)).isEqualTo(3);
        assertThat(stats.value(WorkStats.SHARED_LIMIT)).isEqualTo(3);
        assertThat(stats.value(WorkStats.SHARED_REFUSED)).isEqualTo(2);
        assertThat(stats.value(WorkStats.REFUSED, "b")).isEqualTo(2);
        manager("b").leave();
        assertThat(manager("b").execute(gate())).isTrue();
        runs.open.countDown();
        Await.until("one is over", () -> stats.value(WorkStats.SHARED_USED) == 2);
        gates.forEach(g -> g.open.countDown());
        Await.until("all is over", () -> stats.value(WorkStats.SHARED_USED) == 0);
    }

    @Test
    void theLowestShareIsRefusedFirst() {
        protect("shared-capacity=3");
        Map<String, RequestClassConfig> classes = Map.of(
                "gold", Configs.bind(RequestClassConfig.class, "fair-share=80"),
                "soon", Configs.bind(RequestClassConfig.class, "response-time=500ms"),
                "bronze", Configs.bind(RequestClassConfig.class, "fair-share=20"));
        managers = work.all(
                new Live<>(new WorkConfig(classes, ConstraintsConfig.NONE)),
                Map.of("w", Configs.work("min-threads=0", "max-threads=1")));
        WorkManager w = manager("w");
        busy(w);
        assertThat(w.execute(of("bronze"), gate())).isTrue();
        assertThat(w.execute(of("bronze"), gate())).isTrue();
        assertThat(w.execute(of("bronze"), gate())).isFalse();
        // half a second to wait weighs 100
        assertThat(w.execute(of("soon"), gate())).isTrue();
        assertThat(w.execute(of("gold"), gate())).isTrue();
        assertThat(stats.value(WorkStats.SHARED_DISPLACED)).isEqualTo(2);
        // two wait that stand back, and do for two already
        assertThat(w.execute(of("gold"), gate())).isFalse();
        assertThat(stats.value(WorkStats.SHARED_USED)).isEqualTo(5);
        assertThat(stats.value(WorkStats.SHARED_REFUSED)).isEqualTo(2);
    }

    @Test
    void theServerFailsWhenAsManyThreadsOfAllWorkManagersAreStuck() {
        protect("server-failure-trigger.stuck-thread-count=2", "server-failure-trigger.max-stuck-thread-time=10s");
        managers = work.all(
                new Live<>(WorkConfig.NONE),
                Map.of("a", Configs.work("max-threads=1"), "b", Configs.work("max-threads=2")));
        Gate one = busy(manager("a"));
        clock.step(Duration.ofSeconds(9));
        busy(manager("b"));
        look();
        assertThat(managers.overload().failed()).isFalse();
        clock.step(Duration.ofSeconds(9));
        managers.second();
        assertThat(managers.overload().failed()).isTrue();
        assertThat(stats.value(WorkStats.SERVER_FAILED)).isOne();
        look();
        assertThat(stats.value(WorkStats.FAILURES)).isOne();
        assertThat(log.count(KernelMessages.SERVER_FAILED)).isOne();
        // no-action: it is shown, and work goes on
        assertThat(manager("b").execute(() -> {})).isTrue();
        assertThat(managers.overload().shutdown()).isNotDone();
        one.open.countDown();
        Await.until("returned", () -> manager("a").idleThreads() == 1);
        look();
        assertThat(managers.overload().failed()).isFalse();
        assertThat(log.count(KernelMessages.SERVER_RECOVERED)).isOne();
    }

    @Test
    void aFailedServerTakesNothingNewInTheAdminStateAndEndsByForce() {
        protect("server-failure-trigger.stuck-thread-count=1", "failure-action=admin-state");
        managers = work.all(
                new Live<>(WorkConfig.NONE),
                Map.of("a", Configs.work("max-threads=1"), "b", Configs.work("max-threads=1")));
        Gate hang = busy(manager("a"));
        clock.step(Duration.ofMinutes(10));
        managers.second();
        assertThat(manager("b").admit(() -> RequestClass.DEFAULT)).isFalse();
        assertThat(manager("b").execute(() -> {})).isFalse();
        assertThat(stats.value(WorkStats.REFUSED, "b")).isEqualTo(2);
        assertThat(managers.overload().shutdown()).isNotDone();
        hang.open.countDown();
        Await.until("returned", () -> manager("a").idleThreads() == 1);
        look();
        assertThat(manager("b").execute(() -> {})).isTrue();
        protect("server-failure-trigger.stuck-thread-count=1", "failure-action=force-shutdown");
        busy(manager("a"));
        clock.step(Duration.ofMinutes(10));
        managers.second();
        assertThat(managers.overload().shutdown()).isDone();
        assertThat(stats.value(WorkStats.FAILURES)).isEqualTo(2);
    }

    @Test
    void withoutATriggerNoNumberOfStuckThreadsFailsTheServer() {
        managers = work.all(new Live<>(WorkConfig.NONE), Map.of("a", Configs.work("max-threads=2")));
        busy(manager("a"));
        busy(manager("a"));
        clock.step(Duration.ofHours(9));
        managers.second();
        assertThat(manager("a").stuckThreads()).isEqualTo(2);
        assertThat(managers.overload().failed()).isFalse();
    }

    @Test
    void idleThreadsAboveTheMinimumAreOnStandby() {
        managers = work.all(new Live<>(WorkConfig.NONE), Map.of("a", Configs.work("min-threads=1", "max-threads=3")));
        Gate one = busy(manager("a"));
        busy(manager("a"));
        busy(manager("a"));
        assertThat(stats.value(WorkStats.STANDBY, "a")).isZero();
        one.open.countDown();
        Await.until("one waits", () -> stats.value(WorkStats.STANDBY, "a") == 1);
        gates.forEach(g -> g.open.countDown());
        Await.until("all wait", () -> manager("a").idleThreads() == 3);
        assertThat(manager("a").standbyThreads()).isEqualTo(2);
    }
}
