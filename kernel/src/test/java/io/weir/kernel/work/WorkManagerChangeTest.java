package io.weir.kernel.work;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.Live;
import io.weir.base.RecordingLog;
import io.weir.base.Stats;
import io.weir.base.SystemClock;
import io.weir.kernel.Await;
import io.weir.kernel.Configs;
import io.weir.kernel.EchoProtocol;
import io.weir.kernel.Kernel;
import io.weir.kernel.KernelParts;
import io.weir.kernel.LineClient;
import io.weir.kernel.listen.Listener;
import io.weir.kernel.settings.KernelConfig;
import io.weir.kernel.settings.KernelMessages;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Work managers, request classes and constraints that come, go and change while they work. */
class WorkManagerChangeTest {
    private final Stats stats = new Stats();
    private final RecordingLog log = new RecordingLog();
    private final Live<WorkConfig> live = new Live<>(config(Map.of()));
    private final Live<KernelConfig> settings =
            new Live<>(Configs.kernel("request-throttle=1", "connection-queue.capacity=50"));
    private final Kernel kernel =
            new Kernel(new KernelParts(settings, Map.of(), SystemClock.INSTANCE, stats, log).with(live));

    @AfterEach
    void close() {
        kernel.close();
    }

    private static WorkConfig config(Map<String, WorkManagerConfig> managers) {
        return new WorkConfig(Map.of(), ConstraintsConfig.NONE, managers);
    }

    private List<String> shown(String label) {
        return stats.samples().stream()
                .filter(s -> s.spec().labels().contains(label))
                .map(s -> s.labels().getFirst())
                .distinct()
                .toList();
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(3, TimeUnit.MINUTES)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static long threads(String name) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(t -> t.getName().contains("'weir.work." + name + "'"))
                .count();
    }

    @Test
    void oneThatGoesDoesWhatItWasGivenAndItsThreadsEnd() {
        live.set(config(Map.of("reports", Configs.work("min-threads=1", "max-threads=1"))));
        WorkManager reports = kernel.workManager("reports");
        CountDownLatch hold = new CountDownLatch(1);
        CountDownLatch done = new CountDownLatch(2);
        assertThat(reports.execute(() -> {
                    await(hold);
                    done.countDown();
                }))
                .isTrue();
        assertThat(reports.execute(done::countDown)).isTrue();
        assertThat(shown("work_manager")).containsExactlyInAnyOrder("default", "reports");

        live.set(config(Map.of()));
        assertThat(kernel.workManagers()).containsOnlyKeys("default");
        assertThat(shown("work_manager")).containsExactly("default");
        assertThat(log.count(KernelMessages.WORK_MANAGER_GONE)).isOne();
        hold.countDown();
        await(done);
        Await.until("no thread waits for more", () -> threads("reports") == 0);
        CountDownLatch late = new CountDownLatch(1);
        assertThat(reports.execute(late::countDown))
                .as("of a request that began before")
                .isTrue();
        await(late);
        Await.until("nor after that", () -> threads("reports") == 0);
    }

    @Test
    void changedOneIsAnotherAndTheOthersStay() {
        live.set(config(
                Map.of("a", Configs.work("max-threads=2"), "b", Configs.work("threads-of=a"), "c", Configs.work())));
        WorkManager a = kernel.workManager("a");
        WorkManager b = kernel.workManager("b");
        WorkManager c = kernel.workManager("c");
        WorkManager standard = kernel.workManager("default");
        live.set(config(
                Map.of("a", Configs.work("max-threads=3"), "b", Configs.work("threads-of=a"), "c", Configs.work())));
        assertThat(kernel.workManager("a")).isNotSameAs(a);
        assertThat(kernel.workManager("a").maxThreads()).isEqualTo(3);
        assertThat(kernel.workManager("b")).as("it has the threads of a").isNotSameAs(b);
        assertThat(kernel.workManager("c")).isSameAs(c);
        assertThat(kernel.workManager("default")).isSameAs(standard);
        assertThat(stats.value(WorkStats.LIMIT, "a")).isEqualTo(3);
        live.set(config(Map.of("default", Configs.work("max-threads=7"))));
        assertThat(kernel.workManager("default").maxThreads()).isEqualTo(7);
        settings.set(Configs.kernel());
        assertThat(kernel.connectionQueue().throttle())
                .as("it is derived from the default one")
                .isEqualTo(7);
    }

    @Test
    void classesAndConstraintsComeAndGo() {
        ConstraintsConfig constraints = Configs.bind(
                ConstraintsConfig.class, "max-threads.db.count=1", "capacity.db.count=5", "min-threads.db.count=1");
        RequestClassConfig gold = Configs.bind(RequestClassConfig.class, "fair-share=80");
        WorkManagerConfig bound = Configs.work(
                "request-class=gold", "max-threads-constraint=db", "capacity=db", "min-threads-constraint=db");
        live.set(new WorkConfig(Map.of("gold", gold), constraints, Map.of("a", bound)));
        CountDownLatch done = new CountDownLatch(1);
        assertThat(kernel.workManager("a").execute(done::countDown)).isTrue();
        await(done);
        assertThat(kernel.requestClasses()).containsExactly("gold");
        assertThat(shown("constraint")).containsExactly("db");
        assertThat(shown("request_class")).contains("gold", "work-manager:a");
        live.set(new WorkConfig(Map.of(), constraints, Map.of("a", Configs.work("capacity=db"))));
        assertThat(kernel.requestClasses()).isEmpty();
        assertThat(shown("request_class")).containsExactly("work-manager:a");
        live.set(config(Map.of()));
        assertThat(shown("constraint")).isEmpty();
        assertThat(shown("request_class")).isEmpty();
    }

    @Test
    void requestsThatWaitGoOnWaitingWhenTheFirstClassComesAndTheLastGoes() throws Exception {
        EchoProtocol echo = new EchoProtocol(kernel);
        Listener listener = kernel.open("echo", Configs.listener(), echo);
        RequestClassConfig gold = Configs.bind(RequestClassConfig.class, "fair-share=80");
        try (LineClient first = LineClient.to(listener);
                LineClient second = LineClient.to(listener);
                LineClient third = LineClient.to(listener)) {
            first.send("hold 1");
            Await.until("handled", () -> echo.held() == 1);
            second.send("hold 2");
            Await.until("waits", () -> kernel.connectionQueue().length() == 1);
            live.set(new WorkConfig(Map.of("gold", gold), ConstraintsConfig.NONE, Map.of()));
            third.send("3");
            Await.until("waits", () -> kernel.connectionQueue().length() == 2);
            echo.release();
            assertThat(first.receive()).isEqualTo("hold 1");
            Await.until("its turn", () -> echo.held() == 1);
            live.set(config(Map.of()));
            echo.release();
            assertThat(second.receive()).isEqualTo("hold 2");
            assertThat(third.receive()).isEqualTo("3");
            assertThat(kernel.connectionQueue().length()).isZero();
            // an answer is out before its slot is given back
            Await.until(
                    "all slots are given back", () -> kernel.connectionQueue().active() == 0);
        }
    }
}
