package io.weir.server.processes;

import io.weir.base.Stats;
import io.weir.server.monitor.PrometheusView;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/**
 * The statistics of all workers as one. What an ended worker was last seen to have counted stays in the sums, so that
 * counters never fall; what it counted after it was last asked is lost. Shared.
 */
final class Sums {
    private record Seen(int process, Figures figures) {}

    private final Workers workers;
    private final WorkerClient client;
    private final Stats own;
    private final Map<Long, Seen> seen = new HashMap<>();
    private final Figures ended = new Figures();

    Sums(Workers workers, WorkerClient client, Stats own) {
        this.workers = workers;
        this.client = client;
        this.own = own;
    }

    /** Asks all workers and gives the sums as Prometheus takes them. */
    synchronized String write() throws IOException, InterruptedException {
        look();
        Figures all = new Figures();
        all.addAll(ended);
        seen.values().forEach(s -> all.addWorker(s.process(), s.figures()));
        all.addAll(Figures.parse(new PrometheusView(own).write(null).text()));
        return all.write();
    }

    /** Asks all workers, so that little is lost when one ends. */
    synchronized void look() throws InterruptedException {
        Map<Long, Workers.Place> living = workers.living();
        for (Map.Entry<Long, Workers.Place> e : living.entrySet()) {
            try {
                Figures now = Figures.parse(client.get(e.getValue().admin(), "/metrics"));
                seen.put(e.getKey(), new Seen(e.getValue().process(), now));
            } catch (IOException _) {
                // it is about to end: what it said last counts
            }
        }
        seen.entrySet().removeIf(e -> {
            boolean gone = !living.containsKey(e.getKey());
            if (gone) {
                ended.addEnded(e.getValue().process(), e.getValue().figures());
            }
            return gone;
        });
    }
}
