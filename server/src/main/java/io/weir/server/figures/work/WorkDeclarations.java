package io.weir.server.figures.work;

import io.weir.kernel.settings.KernelStats;
import io.weir.kernel.work.WorkStats;
import io.weir.server.figures.Figure;
import io.weir.server.figures.FigureGroup;
import io.weir.server.figures.Texts;
import io.weir.server.figures.work.WorkFigures.Bound;
import io.weir.server.figures.work.WorkFigures.Manager;
import io.weir.server.figures.work.WorkFigures.RequestClass;
import java.util.List;

/** Every figure of work managers, once: perfdump, stats-xml with its document type and docs/figures.md follow. */
public final class WorkDeclarations {
    /** Figures of all work managers together. */
    public static final FigureGroup<WorkFigures> TOTALS = new FigureGroup<>(
                    "Work",
                    "work-bucket",
                    null,
                    "WorkInfo:",
                    List.of(
                            Figure.<WorkFigures>text(
                                            "FAILED while as many threads are stuck as the server's trigger allows.",
                                            w -> w.overload().state())
                                    .line("State")
                                    .attribute("state", "RUNNING", "FAILED"),
                            Figure.<WorkFigures>count(
                                            WorkStats.FAILURES,
                                            w -> w.overload().failures())
                                    .line("Failures")
                                    .attribute("countFailures"),
                            Figure.<WorkFigures>count(
                                            WorkStats.SHARED_USED,
                                            w -> w.overload().used())
                                    .line("Shared Capacity Used/Limit")
                                    .attribute("countShared"),
                            Figure.<WorkFigures>count(
                                            WorkStats.SHARED_LIMIT,
                                            w -> w.overload().limit())
                                    .line("Shared Capacity Used/Limit")
                                    .attribute("maxShared"),
                            Figure.<WorkFigures>count(
                                            WorkStats.SHARED_REFUSED,
                                            w -> w.overload().refused())
                                    .line("Shared Refusals/Displacements")
                                    .attribute("countSharedRefused"),
                            Figure.<WorkFigures>count(
                                            WorkStats.SHARED_DISPLACED,
                                            w -> w.overload().displaced())
                                    .line("Shared Refusals/Displacements")
                                    .attribute("countSharedDisplaced"),
                            Figure.<WorkFigures>text(
                                            "How requests are started: low-latency or high-concurrency.",
                                            w -> w.mode().replace(' ', '-'))
                                    .line("Mode", WorkFigures::mode)
                                    .attribute("mode", "low-latency", "high-concurrency"),
                            Figure.<WorkFigures>count(KernelStats.MODE_CHANGES, WorkFigures::modeChanges)
                                    .line("Mode Changes")
                                    .attribute("countModeChanges")))
            .writing("mode", "state")
            .writing("countModeChanges", "state");

    /** A work manager. */
    public static final FigureGroup<Manager> MANAGER = new FigureGroup<>(
            "A work manager",
            "work-manager-bucket",
            null,
            "WorkManagers:",
            List.of(
                    Figure.<Manager>text("Its name.", Manager::name)
                            .column("WorkManager")
                            .attribute("name"),
                    Figure.<Manager>text(
                                    "running, or shut-down while its trigger keeps new work out.",
                                    m -> m.state().replace(' ', '-'))
                            .column("State", Manager::state)
                            .attribute("mode", "running", "shut-down"),
                    Figure.<Manager>number(WorkStats.THREADS, Manager::threads)
                            .column("Threads")
                            .attribute("countThreads"),
                    Figure.<Manager>number(WorkStats.STANDBY, Manager::standby)
                            .column("Standby")
                            .attribute("countThreadsStandby"),
                    Figure.<Manager>number(WorkStats.EXTRA, Manager::extra)
                            .column("Extra")
                            .attribute("countThreadsExtra"),
                    Figure.<Manager>number(WorkStats.HOGGING, Manager::hogging)
                            .column("Hogging")
                            .attribute("countThreadsHogging"),
                    Figure.<Manager>number(WorkStats.STUCK, Manager::stuck)
                            .column("Stuck")
                            .attribute("countThreadsStuck"),
                    Figure.<Manager>count(WorkStats.STUCK_TOTAL, Manager::found)
                            .column("Found")
                            .attribute("countStuckFound"),
                    Figure.<Manager>count(WorkStats.SHUT_DOWNS, Manager::shutDowns)
                            .column("ShutDowns")
                            .attribute("countShutDowns"),
                    Figure.<Manager>count(WorkStats.DONE, Manager::completed)
                            .column("Completed")
                            .attribute("countCompleted"),
                    Figure.<Manager>count(WorkStats.REFUSED, Manager::refused)
                            .column("Refused")
                            .attribute("countRefused")));

    /** A fair-share or response-time class. */
    public static final FigureGroup<RequestClass> REQUEST_CLASS = new FigureGroup<>(
            "A request class",
            "request-class-bucket",
            null,
            "RequestClasses:",
            List.of(
                    Figure.<RequestClass>text("Its name.", RequestClass::name)
                            .column("RequestClass")
                            .attribute("name"),
                    Figure.<RequestClass>count(WorkStats.CLASS_SHARE, RequestClass::share)
                            .column("Share")
                            .attribute("share"),
                    Figure.<RequestClass>count(WorkStats.CLASS_WAITING, RequestClass::waiting)
                            .column("Waiting")
                            .attribute("countWaiting"),
                    Figure.<RequestClass>count(WorkStats.CLASS_COMPLETED, RequestClass::completed)
                            .column("Completed")
                            .attribute("countCompleted"),
                    Figure.<RequestClass>count("requests", "How many had to wait.", RequestClass::waits)
                            .attribute("countWaits"),
                    Figure.<RequestClass>count(WorkStats.CLASS_WAIT, RequestClass::waitNanos)
                            .column(
                                    "AverageWait",
                                    "milliseconds",
                                    c -> Texts.millis(c.waitNanos() / (double) Math.max(1, c.waits())) + " ms")
                            .ticks("ticksWaits")));

    /** A constraint. */
    public static final FigureGroup<Bound> CONSTRAINT = new FigureGroup<>(
            "A constraint",
            "constraint-bucket",
            null,
            "Constraints:",
            List.of(
                    Figure.<Bound>text("Its name.", Bound::name)
                            .column("Constraint")
                            .attribute("name"),
                    Figure.<Bound>text("min-threads, max-threads or capacity.", Bound::kind)
                            .column("Kind")
                            .attribute("kind", "min-threads", "max-threads", "capacity"),
                    Figure.<Bound>count(
                                    "threads",
                                    "Threads that run under it, requests within a capacity; 0 for min-threads.",
                                    Bound::used)
                            .column("Used")
                            .attribute("countUsed"),
                    Figure.<Bound>count("tasks", "Work that waits under a min-threads constraint.", Bound::waiting)
                            .column("Waiting")
                            .attribute("countWaiting"),
                    Figure.<Bound>count("tasks", "Work that ended under a min-threads constraint.", Bound::ended)
                            .column("Completed")
                            .attribute("countCompleted"),
                    Figure.<Bound>count("requests", "Work refused by a capacity.", Bound::refused)
                            .column("Refused")
                            .attribute("countRefused")));

    /** All of them, in the order of stats-xml. */
    public static final List<FigureGroup<?>> ALL = List.of(TOTALS, MANAGER, REQUEST_CLASS, CONSTRAINT);

    private WorkDeclarations() {}
}
