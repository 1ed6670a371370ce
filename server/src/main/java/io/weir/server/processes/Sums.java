package io.weir.server.processes;

import io.weir.base.Clock;
import io.weir.base.Stats;
import io.weir.server.monitor.PrometheusView;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The statistics of all workers as one. What an ended worker was last seen to have counted stays in the sums, so that
 * counters never fall: one that ends in order says itself what it counted, of one that is killed it is what it was last
 * seen to have. So it is of one that does not answer. Shared; what was seen is confined to its thread.
 */
final class Sums {
    /** How often workers are asked for their counts, which outlive them. */
    private static final long LOOK_SECONDS = 5;

    private static final long PATIENCE_SECONDS = 60;

    private record Seen(int process, Figures figures) {}

    private final Workers workers;
    private final Asking asking;
    private final Stats own;
    private final Executor thread;
    private final Rounds<Figures> rounds;
    private final Map<Long, Seen> seen = new HashMap<>();
    private final Figures ended = new Figures();
    private volatile Map<Integer, String> places = Map.of();

    /** @param thread where the sums are made, and what is seen is kept; looks again and again */
    Sums(Workers workers, Asking asking, Stats own, ScheduledExecutorService thread, Clock clock) {
        this.rounds = new Rounds<>(this::round, clock);
        this.workers = workers;
        this.asking = asking;
        this.own = own;
        this.thread = thread;
        for (int i = 1; i <= workers.slots(); i++) {
            int process = i;
            own.gauge(ProcessStats.ANSWERS, () -> answers(process) ? 1 : 0, Integer.toString(process));
        }
        Runnable look = () -> {
            var _ = rounds.ask();
        };
        var _ = thread.scheduleWithFixedDelay(look, LOOK_SECONDS, LOOK_SECONDS, TimeUnit.SECONDS);
    }

    private boolean answers(int process) {
        String admin = places.get(process);
        return admin != null && asking.hears(admin);
    }

    /** Asks all workers and gives the sums as Prometheus takes them. */
    CompletableFuture<String> write() {
        return rounds.ask().thenApplyAsync(Figures::write, thread);
    }

    /** The same as OpenMetrics takes them. */
    CompletableFuture<String> writeOpen() {
        return rounds.ask().thenApplyAsync(Figures::writeOpen, thread);
    }

    /** Asks all workers, waits for the answers, and gives the sums by name with labels. */
    Map<String, Double> series() throws IOException {
        try {
            return rounds.ask().get(PATIENCE_SECONDS, TimeUnit.SECONDS).series();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } catch (ExecutionException | TimeoutException e) {
            throw new IOException("the workers' statistics could not be added up", e);
        }
    }

    /** Asks all workers; of one that does not answer it is what was seen last. */
    private CompletableFuture<Figures> round() {
        return CompletableFuture.supplyAsync(workers::roll, thread).thenCompose(this::look);
    }

    private CompletableFuture<Figures> look(Roll roll) {
        Map<Long, CompletableFuture<Optional<String>>> asked = new LinkedHashMap<>();
        Map<String, Long> pids = new HashMap<>();
        Map<Integer, String> now = new HashMap<>();
        roll.living().forEach((pid, place) -> {
            pids.put(place.admin(), pid);
            // of two the younger comes last
            now.put(place.process(), place.admin());
        });
        places = Map.copyOf(now);
        asking.keep(pids);
        roll.living().forEach((pid, place) -> asked.put(pid, asking.view(place.admin(), "/metrics")));
        return CompletableFuture.allOf(asked.values().toArray(CompletableFuture[]::new))
                .thenApplyAsync(_ -> all(roll, asked), thread);
    }

    private Figures all(Roll roll, Map<Long, CompletableFuture<Optional<String>>> asked) {
        roll.ended().forEach(this::ended);
        roll.living().forEach((pid, place) -> {
            CompletableFuture<Optional<String>> answer = asked.get(pid);
            if (answer != null) {
                answer.join().ifPresent(text -> seen.put(pid, new Seen(place.process(), Figures.parse(text))));
            }
        });
        Figures all = new Figures();
        all.addAll(ended);
        seen.values().forEach(s -> all.addWorker(s.process(), s.figures()));
        try {
            all.addAll(Figures.parse(new PrometheusView(own).write(null).text()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return all;
    }

    /** What it said at its end counts, and of what it did not say then what was seen last. */
    private void ended(Roll.Ended worker) {
        Seen last = seen.remove(worker.pid());
        Figures all = last == null ? new Figures() : last.figures();
        ended.addEnded(worker.process(), all.with(Figures.parse(worker.counted())));
    }
}
