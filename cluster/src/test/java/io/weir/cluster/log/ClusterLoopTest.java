package io.weir.cluster.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.base.Chance;
import io.weir.base.RecordingLog;
import io.weir.base.Stats;
import io.weir.base.SystemClock;
import io.weir.cluster.stats.ClusterMessages;
import io.weir.cluster.stats.ClusterStats;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The member's thread. */
class ClusterLoopTest {
    private final Stats stats = new Stats();
    private final RecordingLog log = new RecordingLog();
    private final ClusterLoop loop = new ClusterLoop(SystemClock.INSTANCE, Chance.seeded(1), stats, log, 10);

    @AfterEach
    void close() {
        loop.close();
    }

    @Test
    void tasksRunInOrderOnTheThreadThatSaysWhatItIs() throws Exception {
        List<Integer> order = new ArrayList<>();
        CompletableFuture<String> name = new CompletableFuture<>();
        for (int i = 0; i < 5; i++) {
            int n = i;
            loop.execute(() -> order.add(n));
        }
        loop.execute(() -> name.complete(Thread.currentThread().getName() + loop.here()));
        assertThat(name.get(3, TimeUnit.MINUTES)).isEqualTo("weir.clustertrue");
        assertThat(order).containsExactly(0, 1, 2, 3, 4);
        assertThat(loop.here()).isFalse();
    }

    @Test
    void atTheBoundTasksAreRefusedAndCountedAndRoomComesBack() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        CountDownLatch held = new CountDownLatch(1);
        loop.execute(() -> {
            held.countDown();
            await(gate);
        });
        assertThat(held.await(3, TimeUnit.MINUTES)).isTrue();
        Cancellable timer = loop.after(TimeUnit.HOURS.toNanos(1), () -> {});
        for (int i = 0; i < 9; i++) {
            loop.execute(() -> {});
        }
        assertThatThrownBy(() -> loop.execute(() -> {})).isInstanceOf(RejectedExecutionException.class);
        assertThat(stats.value(ClusterStats.LOOP_REFUSED)).isEqualTo(1);
        timer.cancel();
        timer.cancel();
        loop.execute(() -> {});
        gate.countDown();
        CompletableFuture<Long> left = new CompletableFuture<>();
        assertThat(offer(() -> left.complete(stats.value(ClusterStats.LOOP_WAITING))))
                .isTrue();
        assertThat(left.get(3, TimeUnit.MINUTES)).isZero();
    }

    /** A periodic look that is refused once never comes again, and an answer that is refused keeps somebody waiting for ever. */
    @Test
    void atTheBoundTheLoopsOwnTasksAndAnswersAreTakenAllTheSame() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        CountDownLatch held = new CountDownLatch(1);
        CompletableFuture<String> look = new CompletableFuture<>();
        loop.execute(() -> {
            held.countDown();
            await(gate);
            loop.after(1, () -> look.complete("looked"));
        });
        assertThat(held.await(3, TimeUnit.MINUTES)).isTrue();
        for (int i = 0; i < 10; i++) {
            loop.execute(() -> {});
        }
        assertThatThrownBy(() -> loop.execute(() -> {})).isInstanceOf(RejectedExecutionException.class);
        CompletableFuture<String> answer = new CompletableFuture<>();
        loop.deliver(() -> answer.complete("answered"));
        gate.countDown();
        assertThat(answer.get(3, TimeUnit.MINUTES)).isEqualTo("answered");
        assertThat(look.get(3, TimeUnit.MINUTES)).isEqualTo("looked");
    }

    private boolean offer(Runnable task) {
        long until = SystemClock.INSTANCE.nanos() + TimeUnit.MINUTES.toNanos(3);
        while (SystemClock.INSTANCE.nanos() - until < 0) {
            try {
                loop.execute(task);
                return true;
            } catch (RejectedExecutionException full) {
                Thread.onSpinWait();
            }
        }
        return false;
    }

    @Test
    void aTaskThatFailsIsLoggedAndTheNextRuns() throws Exception {
        loop.execute(() -> {
            throw new IllegalStateException("fault");
        });
        CompletableFuture<Boolean> next = new CompletableFuture<>();
        loop.execute(() -> next.complete(true));
        assertThat(next.get(3, TimeUnit.MINUTES)).isTrue();
        assertThat(log.count(ClusterMessages.UNCAUGHT)).isEqualTo(1);
    }

    @Test
    void aTaskWaitsForItsTime() throws Exception {
        CompletableFuture<Long> ran = new CompletableFuture<>();
        long begin = SystemClock.INSTANCE.nanos();
        loop.after(TimeUnit.MILLISECONDS.toNanos(5), () -> ran.complete(SystemClock.INSTANCE.nanos()));
        assertThat(ran.get(3, TimeUnit.MINUTES) - begin).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(5));
    }

    @Test
    void closedItRefuses() {
        loop.close();
        assertThatThrownBy(() -> loop.execute(() -> {})).isInstanceOf(RejectedExecutionException.class);
        assertThatThrownBy(() -> loop.after(1, () -> {})).isInstanceOf(RejectedExecutionException.class);
    }

    private static void await(CountDownLatch gate) {
        try {
            if (!gate.await(3, TimeUnit.MINUTES)) {
                throw new AssertionError("never opened");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
