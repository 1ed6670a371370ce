package io.weir.cluster.timer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.weir.base.Fence;
import io.weir.base.RecordingLog;
import io.weir.cluster.state.Proposer;
import io.weir.cluster.state.entry.Answer;
import io.weir.cluster.state.timers.Misfire;
import io.weir.cluster.state.timers.TimerSpec;
import java.io.IOError;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Listeners' threads, the singleton that carries the engine, and what operators do. */
class TimerThreadsTest {
    private static final TimerSpec TIMER = new TimerSpec("t", "every 1s", "UTC", Misfire.SKIP, "x");
    private static final Firing FIRING = new Firing("t", Instant.EPOCH, new Fence(1, 2), false);

    private final RecordingLog log = new RecordingLog();

    private String outcome(TimerTargets targets) throws Exception {
        try (TimerThreads threads = new TimerThreads(targets, 1, log)) {
            CompletableFuture<String> outcome = new CompletableFuture<>();
            threads.run(TIMER, FIRING, outcome::complete);
            return outcome.get(3, TimeUnit.MINUTES);
        }
    }

    @Test
    void theListenerIsCalledOnAnExecuteThreadThatSaysWhatItIs() throws Exception {
        List<String> seen = new ArrayList<>();
        assertThat(outcome(t -> f ->
                        seen.add(t.id() + f.fence() + Thread.currentThread().getName())))
                .isEmpty();
        assertThat(seen).containsExactly("t1.2ExecuteThread: '0' for queue: 'weir.cluster.Timers'");
    }

    @Test
    void whateverAListenerThrowsIsItsFailure() throws Exception {
        assertThat(outcome(_ -> _ -> {
                    throw new IOException("disk");
                }))
                .isEqualTo("java.io.IOException: disk");
        assertThat(outcome(_ -> _ -> {
                    throw new NoClassDefFoundError("app/Missing");
                }))
                .contains("app/Missing");
        assertThat(outcome(_ -> {
                    throw new IllegalStateException("no such destination");
                }))
                .contains("no such destination");
        assertThat(outcome(_ -> _ -> {
                    throw new IOError(new IOException("gone"));
                }))
                .isEqualTo("java.io.IOError: java.io.IOException: gone");
        assertThat(outcome(_ -> {
                    throw new ServiceConfigurationError("no provider");
                }))
                .contains("no provider");
    }

    @Test
    void whatIsRefusedByItsFenceIsNotDone() throws Exception {
        assertThat(outcome(_ -> f -> {
                    throw new FenceRefused(f.fence());
                }))
                .isEqualTo(TimerRunner.NOT_DONE);
    }

    @Test
    void beyondItsThreadsListenersWaitAndThatIsSaid() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        CountDownLatch running = new CountDownLatch(1);
        TimerTargets targets = _ -> _ -> {
            running.countDown();
            assertThat(gate.await(3, TimeUnit.MINUTES)).isTrue();
        };
        try (TimerThreads threads = new TimerThreads(targets, 1, log)) {
            CompletableFuture<String> first = new CompletableFuture<>();
            CompletableFuture<String> second = new CompletableFuture<>();
            threads.run(TIMER, FIRING, first::complete);
            assertThat(running.await(3, TimeUnit.MINUTES)).isTrue();
            threads.run(TIMER, FIRING, second::complete);
            assertThat(log.count(TimerMessages.BUSY)).isEqualTo(1);
            gate.countDown();
            assertThat(first.get(3, TimeUnit.MINUTES)).isEmpty();
            assertThat(second.get(3, TimeUnit.MINUTES)).isEmpty();
        }
    }

    @Test
    void listenersThatRunAreInterruptedAndTheNextOneOfTheirThreadIsNot() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        CountDownLatch running = new CountDownLatch(1);
        TimerTargets hangs = _ -> _ -> {
            running.countDown();
            never.await();
        };
        TimerTargets asks = _ -> _ -> {
            if (Thread.currentThread().isInterrupted()) {
                throw new IllegalStateException("interrupted");
            }
        };
        try (TimerThreads threads =
                new TimerThreads(t -> t.id().equals("t") ? hangs.listener(t) : asks.listener(t), 1, log)) {
            CompletableFuture<String> first = new CompletableFuture<>();
            CompletableFuture<String> second = new CompletableFuture<>();
            threads.run(TIMER, FIRING, first::complete);
            threads.run(new TimerSpec("u", "every 1s", "UTC", Misfire.SKIP, "x"), FIRING, second::complete);
            assertThat(running.await(3, TimeUnit.MINUTES)).isTrue();
            threads.interrupt();
            assertThat(first.get(3, TimeUnit.MINUTES)).isEqualTo("interrupted");
            assertThat(second.get(3, TimeUnit.MINUTES)).isEmpty();
        }
    }

    /** The service is told that its time is over: so are its listeners, and it goes on waiting for them. */
    @Test
    void anInterruptOfTheSingletonsEndIsPassedOnToItsListeners() throws Exception {
        TimerBench bench = new TimerBench();
        bench.define("t", "every 10s", Misfire.FIRE_ONCE);
        TimerService service = new TimerService(bench.loop, bench.a);
        service.activate(bench.take());
        bench.pass("PT10S");
        CompletableFuture<String> how = new CompletableFuture<>();
        Thread ends = Thread.ofPlatform().start(() -> {
            try {
                service.deactivate();
                how.complete("ended");
            } catch (Exception e) {
                how.complete(e.toString());
            }
        });
        ends.interrupt();
        CompletableFuture<Void> interrupted = CompletableFuture.runAsync(() -> {
            while (bench.interrupts.get() == 0) {
                Thread.onSpinWait();
            }
        });
        bench.runUntil(interrupted);
        assertThat(interrupted).isCompleted();
        assertThat(how).isNotDone();
        bench.called.getLast().done().accept("");
        bench.runUntil(how);
        assertThat(how.join()).isEqualTo("ended");
    }

    @Test
    void closedItDoesNothingAndSaysSo() {
        TimerThreads threads = new TimerThreads(_ -> _ -> {}, 1, log);
        threads.close();
        List<String> outcomes = new ArrayList<>();
        threads.run(TIMER, FIRING, outcomes::add);
        assertThat(outcomes).containsExactly(TimerRunner.NOT_DONE);
    }

    @Test
    void operatorsDefinePauseFireAndList() {
        TimerBench bench = new TimerBench();
        Proposer proposer = bench.proposer();
        ClusterTimers timers = new ClusterTimers(bench.holder::now, proposer, bench.loop.clock());
        List<CompletableFuture<Answer>> answers = new ArrayList<>();
        answers.add(timers.define(TIMER, "op"));
        answers.add(timers.define(TIMER, "op"));
        answers.add(timers.pause("t", "op"));
        answers.add(timers.fireNow("t", "op"));
        bench.loop.run();
        assertThat(timers.list()).singleElement().satisfies(v -> {
            assertThat(v.timer().paused()).isTrue();
            assertThat(v.timer().requestOpen()).isTrue();
            assertThat(v.next()).isNull();
            assertThat(v.last()).isNull();
        });
        answers.add(timers.resume("t", "op"));
        bench.loop.run();
        assertThat(timers.list().getFirst().next()).isEqualTo(TimerBench.START.plusSeconds(1));
        answers.add(timers.remove("t", "op"));
        bench.loop.run();
        assertThat(timers.list()).isEmpty();
        assertThat(answers).allMatch(a -> a.join().accepted());
        TimerSpec bad = new TimerSpec("t", "never", "UTC", Misfire.SKIP, "x");
        assertThatIllegalArgumentException().isThrownBy(() -> timers.define(bad, "op"));
    }

    @Test
    void theSingletonBeginsAndEndsTheEngine() throws Exception {
        TimerBench bench = new TimerBench();
        bench.define("t", "every 10s", Misfire.FIRE_ONCE);
        Fence fence = bench.take();
        TimerService service = new TimerService(bench.loop, bench.a);
        service.activate(fence);
        bench.pass("PT10S");
        assertThat(bench.called).hasSize(1);
        CompletableFuture<Boolean> over = CompletableFuture.supplyAsync(() -> {
            try {
                service.deactivate();
                return true;
            } catch (Exception e) {
                return false;
            }
        });
        bench.called.getLast().done().accept("");
        bench.runUntil(over);
        assertThat(over.join()).isTrue();
        assertThat(bench.timer("t").done()).isTrue();
    }
}
