package io.weir.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The journal's own thread. */
@Timeout(60)
final class WriterThreadTest {
    private static final int TASKS = 5_000;

    @Test
    void eachTaskRunsOnceAndNoneWaitsForTheNext() throws Exception {
        try (WriterThread thread = new WriterThread("one by one").start()) {
            for (int i = 0; i < TASKS; i++) {
                // the thread parks between them, or is about to
                CompletableFuture<String> ran = new CompletableFuture<>();
                thread.execute(() -> ran.complete(Thread.currentThread().getName()));
                assertThat(ran.get()).isEqualTo("one by one");
            }
        }
    }

    @Test
    void tasksOfManyThreadsRunOnOneAtATimeThoseOfEachInOrder() throws Exception {
        int threads = 4;
        List<List<Integer>> seen = new ArrayList<>();
        AtomicInteger running = new AtomicInteger();
        AtomicInteger together = new AtomicInteger();
        CountDownLatch done = new CountDownLatch(threads * TASKS);
        try (WriterThread writer = new WriterThread("shared").start()) {
            List<Thread> submitters = new ArrayList<>();
            for (int t = 0; t < threads; t++) {
                List<Integer> mine = new ArrayList<>();
                seen.add(mine);
                submitters.add(Thread.ofPlatform().start(() -> {
                    for (int i = 0; i < TASKS; i++) {
                        int number = i;
                        writer.execute(() -> {
                            together.accumulateAndGet(running.incrementAndGet(), Math::max);
                            mine.add(number);
                            running.decrementAndGet();
                            done.countDown();
                        });
                    }
                }));
            }
            for (Thread each : submitters) {
                each.join();
            }
            done.await();
        }
        assertThat(together).hasValue(1);
        assertThat(seen).allSatisfy(mine -> assertThat(mine).hasSize(TASKS).isSorted());
    }

    @Test
    void taskThatThrowsDoesNotEndIt() throws Exception {
        CompletableFuture<Boolean> after = new CompletableFuture<>();
        try (WriterThread thread = new WriterThread("faulty").start()) {
            thread.execute(() -> {
                throw new IllegalStateException("expected by the test");
            });
            thread.execute(() -> after.complete(true));
            assertThat(after.get()).isTrue();
        }
    }

    @Test
    void closingRunsWhatWaitsAndThenRefuses() {
        AtomicInteger ran = new AtomicInteger();
        WriterThread thread = new WriterThread("closed").start();
        for (int i = 0; i < 100; i++) {
            thread.execute(ran::incrementAndGet);
        }
        thread.close();
        assertThat(ran).hasValue(100);
        assertThatThrownBy(() -> thread.execute(ran::incrementAndGet))
                .isInstanceOf(RejectedExecutionException.class)
                .hasMessageContaining("closed has ended");
        thread.close();
    }

    /** Somebody waits for each task that was taken: it runs, or is refused. */
    @Test
    void whatIsSubmittedDuringTheCloseRunsOrIsRefused() throws Exception {
        for (int i = 0; i < 300; i++) {
            WriterThread thread = new WriterThread("closing").start();
            AtomicInteger taken = new AtomicInteger();
            AtomicInteger ran = new AtomicInteger();
            CountDownLatch begun = new CountDownLatch(1);
            Thread submitter = Thread.ofPlatform().start(() -> {
                try {
                    while (true) {
                        thread.execute(ran::incrementAndGet);
                        taken.incrementAndGet();
                        begun.countDown();
                    }
                } catch (RejectedExecutionException e) {
                    // it has ended
                }
            });
            begun.await();
            thread.close();
            submitter.join();
            assertThat(ran).hasValue(taken.get());
        }
    }
}
