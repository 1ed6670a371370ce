package io.weir.kernel.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.base.ByteSize;
import io.weir.base.RecordingLog;
import io.weir.base.Stats;
import io.weir.kernel.Await;
import io.weir.kernel.Configs;
import io.weir.kernel.settings.KernelMessages;
import io.weir.kernel.settings.Machine;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class WorkManagerTest {
    private final Stats stats = new Stats();
    private final RecordingLog log = new RecordingLog();
    private final CountDownLatch gate = new CountDownLatch(1);
    private WorkManager manager = create("min-threads=0", "max-threads=1");

    private WorkManager create(String... settings) {
        return new TestWork(stats, log).of("w", Configs.work(settings));
    }

    @AfterEach
    void stop() {
        gate.countDown();
        manager.stop().orTimeout(20, TimeUnit.SECONDS).join();
    }

    private void block() {
        try {
            assertThat(gate.await(3, TimeUnit.MINUTES)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void growsWithTheWorkThenQueuesThenSaysBusy() {
        manager = create("min-threads=1", "max-threads=3", "queue-capacity=2");
        assertThat(manager.threads()).isOne();
        AtomicInteger done = new AtomicInteger();
        for (int i = 0; i < 5; i++) {
            assertThat(manager.execute(() -> {
                        block();
                        done.incrementAndGet();
                    }))
                    .isTrue();
        }
        Await.until("three run", () -> manager.idleThreads() == 0 && manager.threads() == 3);
        Await.until("two wait", () -> manager.queued() == 2);
        assertThat(manager.execute(() -> {})).isFalse();
        assertThat(stats.value(WorkStats.REFUSED, "w")).isOne();
        assertThat(log.count(KernelMessages.WORK_REFUSED)).isOne();
        assertThat(manager.peakThreads()).isEqualTo(3);
        assertThat(manager.peakQueued()).isEqualTo(2);
        assertThat(stats.value(WorkStats.QUEUE_PEAK, "w")).isEqualTo(2);
        gate.countDown();
        Await.until("all done", () -> done.get() == 5);
        Await.until("all idle", () -> manager.idleThreads() == 3);
        assertThat(manager.queued()).isZero();
        assertThat(manager.execute(() -> {})).isTrue();
    }

    @Test
    void oneThreadServesWorkThatComesOneByOne() throws Exception {
        manager = create("min-threads=1", "max-threads=10");
        for (int i = 0; i < 20; i++) {
            CountDownLatch ran = new CountDownLatch(1);
            manager.execute(ran::countDown);
            assertThat(ran.await(3, TimeUnit.MINUTES)).isTrue();
            Await.until("idle again", () -> manager.idleThreads() == manager.threads() && manager.queued() == 0);
        }
        assertThat(manager.peakThreads()).isLessThanOrEqualTo(2);
    }

    @Test
    void uncaughtErrorsAreCountedAndLoggedAndKillNoThread() throws Exception {
        manager = create("min-threads=1", "max-threads=1");
        manager.execute(() -> {
            throw new IllegalStateException("asked to");
        });
        manager.execute(() -> {
            throw new StackOverflowError("asked to");
        });
        Set<String> thread = ConcurrentHashMap.newKeySet();
        CountDownLatch ran = new CountDownLatch(1);
        manager.execute(() -> {
            thread.add(Thread.currentThread().getName());
            ran.countDown();
        });
        assertThat(ran.await(3, TimeUnit.MINUTES)).isTrue();
        assertThat(thread).containsExactly("ExecuteThread: '0' for queue: 'weir.work.w'");
        assertThat(stats.value(WorkStats.FAILED, "w")).isEqualTo(2);
        assertThat(log.count(KernelMessages.TASK_FAILED)).isEqualTo(2);
        Await.until("three done", () -> stats.value(WorkStats.DONE, "w") == 3);
    }

    @Test
    void taskThatLeavesItsThreadInterruptedHarmsNobody() throws Exception {
        manager = create("min-threads=1", "max-threads=1");
        manager.execute(() -> Thread.currentThread().interrupt());
        CountDownLatch ran = new CountDownLatch(1);
        manager.execute(ran::countDown);
        assertThat(ran.await(3, TimeUnit.MINUTES)).isTrue();
        assertThat(manager.threads()).isOne();
    }

    @Test
    void threadsAboveTheMinimumEndWhenIdle() {
        manager = create("min-threads=1", "max-threads=4", "idle-time=100ms");
        for (int i = 0; i < 4; i++) {
            manager.execute(this::block);
        }
        Await.until("grown", () -> manager.threads() == 4);
        gate.countDown();
        Await.until("shrunk", () -> manager.threads() == 1);
        assertThat(manager.peakThreads()).isEqualTo(4);
    }

    @Test
    void stopFinishesWhatWaitsAndRefusesTheRest() {
        manager = create("min-threads=1", "max-threads=1", "queue-capacity=10");
        AtomicInteger done = new AtomicInteger();
        manager.execute(this::block);
        for (int i = 0; i < 5; i++) {
            manager.execute(done::incrementAndGet);
        }
        var stopped = manager.stop();
        assertThat(manager.execute(() -> {})).isFalse();
        assertThat(stopped).isNotDone();
        gate.countDown();
        stopped.orTimeout(20, TimeUnit.SECONDS).join();
        assertThat(done.get()).isEqualTo(5);
        assertThat(manager.threads()).isZero();
    }

    @Test
    void boundHoldsUnderConcurrentCallers() throws Exception {
        manager = create("min-threads=0", "max-threads=4", "queue-capacity=50", "idle-time=100ms");
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        AtomicInteger ran = new AtomicInteger();
        AtomicInteger accepted = new AtomicInteger();
        Thread[] callers = new Thread[4];
        for (int i = 0; i < callers.length; i++) {
            callers[i] = Thread.ofPlatform().start(() -> {
                for (int n = 0; n < 5000; n++) {
                    boolean taken = manager.execute(() -> {
                        most.accumulateAndGet(running.incrementAndGet(), Math::max);
                        ran.incrementAndGet();
                        running.decrementAndGet();
                    });
                    if (taken) {
                        accepted.incrementAndGet();
                    }
                }
            });
        }
        for (Thread t : callers) {
            t.join();
        }
        Await.until("all that was taken ran", () -> ran.get() == accepted.get());
        assertThat(most.get()).isLessThanOrEqualTo(4);
        assertThat(manager.peakThreads()).isLessThanOrEqualTo(4);
        assertThat(accepted.get() + stats.value(WorkStats.REFUSED, "w")).isEqualTo(20_000);
    }

    /** No system has a stack of so many bytes, so none gives such a thread. */
    @Test
    void aThreadThatTheSystemDoesNotGiveIsCountedAndAskedForAgain() {
        WorkManagerConfig huge = new WorkManagerConfig(0, 2, 10, new ByteSize(1L << 50), Duration.ofSeconds(60));
        manager = new TestWork(stats, log).of("w", huge);
        assertThat(manager.execute(() -> {})).isTrue();
        assertThat(manager.threads()).isZero();
        assertThat(stats.value(WorkStats.THREAD_FAILURES, "w")).isOne();
        assertThat(log.count(KernelMessages.NO_THREAD)).isOne();
        assertThat(manager.execute(() -> {})).isTrue();
        assertThat(stats.value(WorkStats.THREAD_FAILURES, "w")).isEqualTo(2);
        assertThat(manager.queued()).isEqualTo(2);
        WorkManagerConfig kept = new WorkManagerConfig(1, 2, 10, new ByteSize(1L << 50), Duration.ofSeconds(60));
        assertThatThrownBy(() -> new TestWork(new Stats(), log).of("kept", kept))
                .hasMessageContaining("kept");
    }

    @Test
    void namesAreInTheThreadDump() {
        manager = create("min-threads=3", "max-threads=3");
        assertThat(Arrays.stream(ManagementFactory.getThreadMXBean().dumpAllThreads(false, false))
                        .map(t -> t.getThreadName()))
                .contains("ExecuteThread: '2' for queue: 'weir.work.w'");
    }

    /** A thread that ends may take the wake-up of one that does not wait yet: it must pass it on. */
    @Test
    void aStopEndsThreadsThatAreJustStarting() {
        for (int i = 0; i < 2_000; i++) {
            WorkManager starting = create("min-threads=4", "max-threads=4", "idle-time=1h");
            starting.stop().orTimeout(3, TimeUnit.MINUTES).join();
        }
    }

    @Test
    void disabledPoolRunsWorkWhereItArrives() {
        manager = create("max-threads=0", "queue-capacity=0");
        Set<Thread> ranOn = ConcurrentHashMap.newKeySet();
        assertThat(manager.execute(() -> ranOn.add(Thread.currentThread()))).isTrue();
        assertThat(ranOn).containsExactly(Thread.currentThread());
    }

    @Test
    void defaultsFollowTheSeed() {
        WorkManagerConfig auto = Configs.work();
        assertThat(auto.mostThreads(new Machine(1024, 4))).isEqualTo(128);
        assertThat(auto.mostThreads(new Machine(1024, 200))).isEqualTo(200);
        assertThat(auto.leastThreads(new Machine(1024, 4))).isEqualTo(4);
        assertThat(Configs.work("max-threads=2").leastThreads(new Machine(1024, 4)))
                .isEqualTo(2);
    }
}
