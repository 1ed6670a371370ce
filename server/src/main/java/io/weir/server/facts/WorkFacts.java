package io.weir.server.facts;

import io.weir.base.StatSpec;
import io.weir.base.Stats;
import io.weir.kernel.Kernel;
import io.weir.kernel.settings.KernelStats;
import io.weir.kernel.work.WorkManager;
import io.weir.kernel.work.WorkStats;
import io.weir.server.figures.work.WorkFigures;
import io.weir.server.monitor.source.Facts;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.function.Function;

/** The figures of work managers for the monitoring views, from the registry. Immutable; made for each reading. */
public record WorkFacts(Kernel kernel, Stats stats) {
    /** The threads of each work manager, in the order of their names. */
    List<Facts.Pool> pools() {
        List<Facts.Pool> pools = new ArrayList<>();
        for (WorkManager w : new TreeMap<>(kernel.workManagers()).values()) {
            pools.add(pool(w));
        }
        return pools;
    }

    private Facts.Pool pool(WorkManager w) {
        return new Facts.Pool(
                w.name(),
                w.idleThreads(),
                w.threads(),
                w.peakThreads(),
                w.maxThreads(),
                w.queued(),
                w.peakQueued(),
                w.queueCapacity(),
                stats.value(WorkStats.DONE, w.name()),
                stats.value(WorkStats.REFUSED, w.name()),
                w.stuckThreads(),
                w.hoggingThreads(),
                w.minThreads(),
                w.extraThreads(),
                w.shutDown(),
                w.minThreadsPending(),
                w.minThreadsCompleted(),
                w.standbyThreads(),
                (int) stats.value(WorkStats.SHARED_LIMIT));
    }

    public WorkFigures figures() {
        List<WorkFigures.Bound> bounds = new ArrayList<>();
        bounds.addAll(each(
                WorkStats.MIN_PENDING,
                n -> new WorkFigures.Bound(
                        "min-threads",
                        n,
                        0,
                        stats.value(WorkStats.MIN_PENDING, n),
                        stats.value(WorkStats.MIN_COMPLETED, n),
                        0)));
        bounds.addAll(each(
                WorkStats.MAX_RUNNING,
                n -> new WorkFigures.Bound("max-threads", n, stats.value(WorkStats.MAX_RUNNING, n), 0, 0, 0)));
        bounds.addAll(each(
                WorkStats.CAPACITY_USED,
                n -> new WorkFigures.Bound(
                        "capacity",
                        n,
                        stats.value(WorkStats.CAPACITY_USED, n),
                        0,
                        0,
                        stats.value(WorkStats.CAPACITY_REFUSED, n))));
        return new WorkFigures(
                new WorkFigures.Overload(
                        kernel.failed(),
                        stats.value(WorkStats.FAILURES),
                        stats.value(WorkStats.SHARED_USED),
                        stats.value(WorkStats.SHARED_LIMIT),
                        stats.value(WorkStats.SHARED_REFUSED),
                        stats.value(WorkStats.SHARED_DISPLACED)),
                kernel.connectionQueue().mode().name().toLowerCase(Locale.ROOT).replace('_', ' '),
                stats.value(KernelStats.MODE_CHANGES),
                new TreeMap<>(kernel.workManagers())
                        .values().stream().map(this::manager).toList(),
                each(WorkStats.CLASS_SHARE, this::requestClass),
                bounds);
    }

    private WorkFigures.Manager manager(WorkManager w) {
        return new WorkFigures.Manager(
                w.name(),
                w.shutDown() ? "shut down" : "running",
                w.threads(),
                w.standbyThreads(),
                w.stuckThreads(),
                w.hoggingThreads(),
                w.extraThreads(),
                stats.value(WorkStats.STUCK_TOTAL, w.name()),
                stats.value(WorkStats.SHUT_DOWNS, w.name()),
                stats.value(WorkStats.DONE, w.name()),
                stats.value(WorkStats.REFUSED, w.name()));
    }

    private WorkFigures.RequestClass requestClass(String name) {
        var waits = stats.histogram(WorkStats.CLASS_WAIT, name);
        return new WorkFigures.RequestClass(
                name,
                stats.value(WorkStats.CLASS_SHARE, name),
                stats.value(WorkStats.CLASS_WAITING, name),
                stats.value(WorkStats.CLASS_COMPLETED, name),
                waits.count(),
                waits.total());
    }

    private <T> List<T> each(StatSpec spec, Function<String, T> figure) {
        return stats.samples().stream()
                .filter(s -> s.spec().name().equals(spec.name()))
                .map(s -> figure.apply(s.labels().getFirst()))
                .toList();
    }
}
