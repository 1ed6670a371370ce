package io.weir.proxy.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.Chance;
import io.weir.proxy.cache.fill.Fill;
import io.weir.proxy.cache.fill.FillFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The same exchanges as in the simulation on real threads: for what only true parallelism shows. */
class CacheThreadsTest {
    private static final int LOOPS = 4;
    private static final int EXCHANGES = 600;

    private final TestCache t = new TestCache(
            "memory-budget=256KiB", "max-object-size=48KiB", "fill-window=16KiB", "hit-for-miss=1s", "term-percent=0");
    private final SimulatedEngine engine = new SimulatedEngine(t.cache, t.clock, 1);
    private final List<ExecutorService> threads = new ArrayList<>();
    private final CountDownLatch over = new CountDownLatch(LOOPS * EXCHANGES);
    private final CountDownLatch stopped = new CountDownLatch(LOOPS);
    private final AtomicReference<@Nullable Throwable> broken = new AtomicReference<>();

    @AfterEach
    void stop() {
        threads.forEach(ExecutorService::shutdownNow);
    }

    @Test
    void loopsThatShareTheCacheGetTheRightBytes() throws Exception {
        for (int i = 0; i < LOOPS; i++) {
            ExecutorService thread = Executors.newSingleThreadExecutor();
            threads.add(thread);
            Executor loop = task -> thread.execute(guarded(task));
            RandomGenerator random = Chance.seeded(i).random();
            for (int k = 0; k < EXCHANGES; k++) {
                loop.execute(() -> begin(loop, random));
            }
            loop.execute(() -> fetch(loop));
        }
        assertThat(over.await(60, TimeUnit.SECONDS))
                .as("exchanges that hang: " + over.getCount())
                .isTrue();
        assertThat(broken.get()).isNull();
        assertThat(stopped.await(3, TimeUnit.MINUTES)).isTrue();
        for (ExecutorService thread : threads) {
            thread.shutdown();
            assertThat(thread.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(broken.get()).isNull();
        assertThat(engine.joins.get()).isPositive();
        assertThat(t.cache.store.budget().used())
                .isLessThanOrEqualTo(t.cache.store.budget().limit());
        for (SimulatedFetch fetch : engine.fetches) {
            Fill fill = fetch.fill();
            if (fill != null) {
                fill.abort(new FillFailure(503, "the test is over"));
            }
        }
        t.assertNothingLeaks();
    }

    private void begin(Executor loop, RandomGenerator random) {
        SimulatedExchange exchange = new SimulatedExchange(engine, loop, random);
        exchange.start();
        t.clock.step(Duration.ofMillis(5));
        follow(loop, exchange);
    }

    private void follow(Executor loop, SimulatedExchange exchange) {
        if (exchange.slow) {
            exchange.pump();
        }
        if (exchange.done) {
            over.countDown();
        } else {
            loop.execute(() -> follow(loop, exchange));
        }
    }

    /** Moves the fetches of a loop on, until all exchanges are over. */
    private void fetch(Executor loop) {
        for (SimulatedFetch fetch : engine.fetches.toArray(SimulatedFetch[]::new)) {
            if (fetch.executor().equals(loop)) {
                fetch.step();
                if (fetch.done) {
                    engine.fetches.remove(fetch);
                }
            }
        }
        if (over.getCount() > 0) {
            loop.execute(() -> fetch(loop));
        } else {
            stopped.countDown();
        }
    }

    private Runnable guarded(Runnable task) {
        return () -> {
            try {
                task.run();
            } catch (RuntimeException | Error e) {
                broken.compareAndSet(null, e);
                while (over.getCount() > 0) {
                    over.countDown();
                }
            }
        };
    }
}
