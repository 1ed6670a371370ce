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
 * The statistics of all workers as one. The counts of an ended worker stay in the sums, so that counters never fall:
 * one that ends cleanly reports its final counts, of one that is killed the last known ones are used. The same applies
 * to one that does not answer. Shared; the last known counts are confined to its thread.
 */
final class Sums {
    /** How often workers' counts are read, so that they outlive the workers. */
    private static final long LOOK_SECONDS = 5;

    private static final long PATIENCE_SECONDS = 60;

    private record Seen(int process, Figures figures) {}

    private final Workers workers;
    private final WorkerQueries queries;
    private final Stats own;
    private final Executor thread;
    private final Rounds<Figures> rounds;
    private final Map<Long, Seen> seen = new HashMap<>();
    private final Figures ended = new Figures();
    private volatile Map<Integer, String> places = Map.of();

    /** @param thread computes the sums, keeps the last known counts, and reads them periodically */
    Sums(Workers workers, WorkerQueries queries, Stats own, ScheduledExecutorService thread, Clock clock) {
        this.rounds = new Rounds<>(this::round, clock);
        this.workers = workers;
        this.queries = queries;
        this.own = own;
        this.thread = thread;
        for (int i = 1; i <= workers.slots(); i++) {
            int process = i;
            own.gauge(ProcessStats.ANSWERS, () -> answers(process) ? 1 : 0, Integer.toString(process));
        }
        Runnable look = () -> {
            var _ = rounds.nextResult();
        };
        var _ = thread.scheduleWithFixedDelay(look, LOOK_SECONDS, LOOK_SECONDS, TimeUnit.SECONDS);
    }

    private boolean answers(int process) {
        String admin = places.get(process);
        return admin != null && queries.isResponsive(admin);
    }

    /** Queries all workers and returns the sums in the Prometheus format. */
    CompletableFuture<String> write() {
        return rounds.nextResult().thenApplyAsync(Figures::write, thread);
    }

    /** The same in the OpenMetrics format. */
    CompletableFuture<String> writeOpen() {
        return rounds.nextResult().thenApplyAsync(Figures::writeOpen, thread);
    }

    /** Queries all workers, waits for the answers, and returns the sums by name with labels. */
    Map<String, Double> series() throws IOException {
        try {
            return rounds.nextResult().get(PATIENCE_SECONDS, TimeUnit.SECONDS).series();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } catch (ExecutionException | TimeoutException e) {
            throw new IOException("the workers' statistics could not be added up", e);
        }
    }

    /** Queries all workers; of one that does not answer the last known counts are used. */
    private CompletableFuture<Figures> round() {
        return CompletableFuture.supplyAsync(workers::roll, thread).thenCompose(this::look);
    }

    private CompletableFuture<Figures> look(Roll roll) {
        Map<Long, CompletableFuture<Optional<String>>> pending = new LinkedHashMap<>();
        Map<String, Long> pids = new HashMap<>();
        Map<Integer, String> now = new HashMap<>();
        roll.living().forEach((pid, place) -> {
            pids.put(place.admin(), pid);
            // of two, the younger is last
            now.put(place.process(), place.admin());
        });
        places = Map.copyOf(now);
        queries.keep(pids);
        roll.living().forEach((pid, place) -> pending.put(pid, queries.view(place.admin(), "/metrics")));
        return CompletableFuture.allOf(pending.values().toArray(CompletableFuture[]::new))
                .thenApplyAsync(_ -> all(roll, pending), thread);
    }

    private Figures all(Roll roll, Map<Long, CompletableFuture<Optional<String>>> pending) {
        roll.ended().forEach(this::ended);
        roll.living().forEach((pid, place) -> {
            CompletableFuture<Optional<String>> answer = pending.get(pid);
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

    /** Uses its final counts, and for those that it did not report the last known ones. */
    private void ended(Roll.Ended worker) {
        Seen last = seen.remove(worker.pid());
        Figures all = last == null ? new Figures() : last.figures();
        ended.addEnded(worker.process(), all.with(Figures.parse(worker.counted())));
    }
}
