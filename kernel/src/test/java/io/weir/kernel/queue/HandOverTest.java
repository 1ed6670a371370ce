package io.weir.kernel.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.SystemClock;
import io.weir.kernel.Await;
import io.weir.kernel.Configs;
import io.weir.kernel.TestKernel;
import io.weir.kernel.queue.ConnectionQueue.QueuedRequest;
import io.weir.kernel.work.RequestClass;
import io.weir.kernel.work.RequestClassConfig;
import io.weir.kernel.work.WorkConfig;
import io.weir.kernel.work.WorkPlace;
import io.weir.kernel.work.WorkStats;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;

/** How requests pass threads of their work managers; the muxer is a queue of tasks that the test runs. */
final class HandOverTest {
    private final LinkedBlockingQueue<Runnable> muxer = new LinkedBlockingQueue<>();
    private final List<String> started = new ArrayList<>();
    private final List<QueuedRequest> refused = new ArrayList<>();
    private final HandOver handOver = new HandOver(muxer::add, refused::add);

    @Test
    void requestsOfATurnWakeOneThreadAndComeBackOneByOne() throws Exception {
        try (TestKernel k = new TestKernel()) {
            WorkPlace place = place(k, "default");
            handOver.add(place, request("a"));
            handOver.add(place, request("b"));
            handOver.add(place, request("c"));
            assertThat(muxer).hasSize(1);
            turn();
            assertThat(started).as("none is started on the way out").isEmpty();
            turn();
            assertThat(started).containsExactly("a");
            turn();
            turn();
            assertThat(started).containsExactly("a", "b", "c");
            Await.until("one piece of work", () -> k.stats.value(WorkStats.DONE, "default") == 1);
            handOver.add(place, request("d"));
            turn();
            turn();
            assertThat(started).containsExactly("a", "b", "c", "d");
            Await.until("and one of the next turn", () -> k.stats.value(WorkStats.DONE, "default") == 2);
            assertThat(muxer).isEmpty();
            assertThat(refused).isEmpty();
        }
    }

    @Test
    void eachPassesItsOwnWorkManager() throws Exception {
        try (TestKernel k = new TestKernel(SystemClock.INSTANCE, Map.of("slow", Configs.work("max-threads=1")))) {
            handOver.add(place(k, "default"), request("a"));
            handOver.add(place(k, "slow"), request("b"));
            handOver.add(place(k, "default"), request("c"));
            turn();
            for (int i = 0; i < 3; i++) {
                turn();
            }
            assertThat(started).containsExactlyInAnyOrder("a", "b", "c");
            Await.until(
                    "each one piece",
                    () -> k.stats.value(WorkStats.DONE, "default") == 1 && k.stats.value(WorkStats.DONE, "slow") == 1);
        }
    }

    @Test
    void whereClassesOrderWorkEachPassesAlone() throws Exception {
        WorkConfig classes = new WorkConfig(
                Map.of("gold", Configs.bind(RequestClassConfig.class, "fair-share=80")), WorkConfig.NONE.constraints());
        try (TestKernel k = new TestKernel(SystemClock.INSTANCE, Map.of(), classes)) {
            WorkPlace place = place(k, "default");
            handOver.add(place, request("a"));
            handOver.add(place, request("b"));
            turn();
            turn();
            assertThat(started).containsExactlyInAnyOrder("a", "b");
            Await.until("two pieces of work", () -> k.stats.value(WorkStats.DONE, "default") == 2);
        }
    }

    @Test
    void aFullWorkManagerRefusesEachOfThem() throws Exception {
        CountDownLatch busy = new CountDownLatch(1);
        try (TestKernel k = new TestKernel(
                SystemClock.INSTANCE, Map.of("small", Configs.work("max-threads=1", "queue-capacity=0")))) {
            try {
                assertThat(k.kernel.workManager("small").execute(() -> await(busy)))
                        .isTrue();
                handOver.add(place(k, "small"), request("a"));
                handOver.add(place(k, "small"), request("b"));
                turn();
                assertThat(refused).extracting(Object::toString).containsExactly("a", "b");
                assertThat(muxer).isEmpty();
            } finally {
                busy.countDown();
            }
        }
        assertThat(started).isEmpty();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void turn() throws InterruptedException {
        muxer.take().run();
    }

    private static WorkPlace place(TestKernel k, String name) {
        return new WorkPlace(k.kernel.workManager(name), RequestClass.DEFAULT);
    }

    private QueuedRequest request(String name) {
        return new QueuedRequest() {
            @Override
            public void start() {
                started.add(name);
            }

            @Override
            public void busy() {
                throw new IllegalStateException("the queue says so, not the hand-over");
            }

            @Override
            public boolean cancelled() {
                return false;
            }

            @Override
            public String toString() {
                return name;
            }
        };
    }
}
