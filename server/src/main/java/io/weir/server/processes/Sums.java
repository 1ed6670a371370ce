package io.weir.server.processes;

import io.weir.base.Stats;
import io.weir.server.monitor.PrometheusView;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * The statistics of all workers as one. What an ended worker was last seen to have counted stays in the sums, so that
 * counters never fall: one that ends in order says itself what it counted, of one that is killed it is what it was last
 * seen to have. Shared.
 */
final class Sums {
    /** How often workers are asked for their counts, which outlive them. */
    private static final long LOOK_SECONDS = 5;

    private record Seen(int process, Figures figures) {}

    private final Workers workers;
    private final WorkerClient client;
    private final Stats own;
    private final Map<Long, Seen> seen = new HashMap<>();
    private final Figures ended = new Figures();

    Sums(Workers workers, WorkerClient client, Stats own, ScheduledExecutorService looking) {
        this.workers = workers;
        this.client = client;
        this.own = own;
        var _ = looking.scheduleWithFixedDelay(this::lookAgain, LOOK_SECONDS, LOOK_SECONDS, TimeUnit.SECONDS);
    }

    private void lookAgain() {
        try {
            look();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Asks all workers and gives the sums as Prometheus takes them. */
    String write() throws IOException, InterruptedException {
        return all().write();
    }

    /** Asks all workers and gives the sums by name with labels. */
    Map<String, Double> series() throws IOException {
        try {
            return all().series();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private synchronized Figures all() throws IOException, InterruptedException {
        look();
        Figures all = new Figures();
        all.addAll(ended);
        seen.values().forEach(s -> all.addWorker(s.process(), s.figures()));
        all.addAll(Figures.parse(new PrometheusView(own).write(null).text()));
        return all;
    }

    /** Asks all workers, so that little is lost when one ends. */
    synchronized void look() throws InterruptedException {
        Roll roll = workers.roll();
        roll.ended().forEach(this::ended);
        for (Map.Entry<Long, Roll.Place> e : roll.living().entrySet()) {
            try {
                Figures now = Figures.parse(client.get(e.getValue().admin(), "/metrics"));
                seen.put(e.getKey(), new Seen(e.getValue().process(), now));
            } catch (IOException _) {
                // it is about to end: what it said last counts
            }
        }
    }

    /** What it said at its end counts, and of what it did not say then what was seen last. */
    private void ended(Roll.Ended worker) {
        Seen last = seen.remove(worker.pid());
        Figures all = last == null ? new Figures() : last.figures();
        ended.addEnded(worker.process(), all.with(Figures.parse(worker.counted())));
    }
}
