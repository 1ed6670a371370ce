package io.weir.server.figures.kernel;

import io.weir.kernel.work.WorkStats;
import io.weir.server.figures.Figure;
import io.weir.server.figures.FigureGroup;
import io.weir.server.monitor.source.Facts;
import java.util.List;

/**
 * Every figure of the threads of a work manager, once: the Sun proxy's native pools in perfdump and stats-xml, WebLogic's
 * ThreadPoolRuntimeMBean over JMX, docs/figures.md.
 */
public final class PoolDeclarations {
    /**
     * A pool in a list.
     *
     * @param number its place in the list
     * @param throughput completed pieces of work a second, by the latest sample
     */
    public record Row(int number, Facts.Pool pool, double throughput) {
        String id() {
            return "thread-pool-" + number;
        }
    }

    /** Its name in stats-xml, to which other elements refer. */
    public static final FigureGroup<Row> NAME = new FigureGroup<>(
            "The name of a thread pool",
            "thread-pool",
            null,
            "",
            List.of(
                    Figure.<Row>text("The id that others refer to.", Row::id).attribute("id"),
                    Figure.<Row>text("Its work manager.", r -> r.pool().name()).attribute("name")));

    /** Threads and queue of a work manager. */
    public static final FigureGroup<Row> POOL = new FigureGroup<>(
                    "A thread pool",
                    "thread-pool-bucket",
                    "ThreadPoolRuntime",
                    "Native pools:",
                    List.of(
                            Figure.<Row>text("The id of its thread-pool.", Row::id)
                                    .attribute("thread-pool"),
                            Figure.<Row>number(WorkStats.IDLE, r -> r.pool().idle())
                                    .attribute("countThreadsIdle")
                                    .line("Idle/Peak/Limit"),
                            Figure.<Row>number(WorkStats.PEAK, r -> r.pool().peakThreads())
                                    .bean("ExecuteThreadPeakCount")
                                    .line("Idle/Peak/Limit"),
                            Figure.<Row>number(WorkStats.LIMIT, r -> r.pool().maxThreads())
                                    .attribute("maxThreads")
                                    .bean("ExecuteThreadLimit")
                                    .line("Idle/Peak/Limit"),
                            Figure.<Row>number(WorkStats.THREADS, r -> r.pool().threads())
                                    .attribute("countThreads")
                                    .bean("ExecuteThreadTotalCount"),
                            Figure.<Row>number(WorkStats.QUEUE, r -> r.pool().queued())
                                    .attribute("countQueued")
                                    .bean("QueueLength")
                                    .line("Work Queue Length/Peak/Limit"),
                            Figure.<Row>number(
                                            WorkStats.QUEUE_PEAK, r -> r.pool().peakQueued())
                                    .attribute("peakQueued")
                                    .bean("QueueLengthPeak")
                                    .line("Work Queue Length/Peak/Limit"),
                            Figure.<Row>number(
                                            WorkStats.QUEUE_LIMIT, r -> r.pool().queueLimit())
                                    .attribute("maxQueued")
                                    .bean("QueueLimit")
                                    .line("Work Queue Length/Peak/Limit"),
                            Figure.<Row>number(
                                            "tasks",
                                            "WebLogic's other name for QueueLength.",
                                            r -> r.pool().queued())
                                    .bean("PendingUserRequestCount"),
                            Figure.<Row>count(WorkStats.DONE, r -> r.pool().completed())
                                    .bean("CompletedRequestCount"),
                            Figure.<Row>number(
                                            "threads",
                                            "Threads that wait for work, those on standby not counted.",
                                            r -> r.pool().idle() - r.pool().standby())
                                    .bean("ExecuteThreadIdleCount"),
                            Figure.<Row>text(
                                            "HEALTH_OK; HEALTH_WARN: some threads are stuck; HEALTH_CRITICAL: all are,"
                                                    + " or it is shut down.",
                                            r -> r.pool().health())
                                    .bean("HealthState"),
                            Figure.<Row>number(WorkStats.HOGGING, r -> r.pool().hogging())
                                    .bean("HoggingThreadCount"),
                            Figure.<Row>count(
                                            WorkStats.MIN_COMPLETED,
                                            r -> r.pool().minCompleted())
                                    .bean("MinThreadsConstraintsCompleted"),
                            Figure.<Row>number(
                                            WorkStats.MIN_PENDING, r -> r.pool().minPending())
                                    .bean("MinThreadsConstraintsPending"),
                            Figure.<Row>count(WorkStats.REFUSED, r -> r.pool().rejected())
                                    .bean("OverloadRejectedRequestsCount"),
                            Figure.<Row>number(
                                            WorkStats.SHARED_LIMIT,
                                            r -> r.pool().sharedCapacity())
                                    .bean("SharedCapacityForWorkManagers"),
                            Figure.<Row>number(WorkStats.STANDBY, r -> r.pool().standby())
                                    .bean("StandbyThreadCount"),
                            Figure.<Row>number(WorkStats.STUCK, r -> r.pool().stuck())
                                    .bean("StuckThreadCount"),
                            Figure.<Row>flag(
                                            "Its shut-down trigger keeps new work out.",
                                            r -> r.pool().shutDown())
                                    .bean("Suspended"),
                            Figure.<Row>decimal("tasks a second", "Work that ended.", Row::throughput)
                                    .bean("Throughput"),
                            Figure.<Row>number(WorkStats.EXTRA, r -> r.pool().extra())
                                    .bean("ExecuteThreadExtraCount")))
            .writing("maxThreads", "countQueued");

    /** All of them, in the order of stats-xml. */
    public static final List<FigureGroup<?>> ALL = List.of(NAME, POOL);

    private PoolDeclarations() {}
}
