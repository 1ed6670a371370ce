package io.weir.server.monitor.jmx;

import io.weir.server.monitor.source.Facts;
import io.weir.server.monitor.source.MonitorSource;
import io.weir.server.monitor.text.FigureBean;
import java.util.function.Function;

/** A work manager with the attribute names of WebLogic's ThreadPoolRuntimeMBean, where Weir has the figure. Shared. */
public final class ThreadPoolBean extends FigureBean<Facts.Pool> {
    /**
     * A bean for the pool of this name.
     *
     * @param throughput completed pieces of work a second, by the latest sample
     */
    public ThreadPoolBean(MonitorSource source, String name, Function<String, Double> throughput) {
        super(
                "Execute threads of the work manager " + name,
                () -> source.pools().stream()
                        .filter(p -> p.name().equals(name))
                        .findFirst()
                        .orElse(null));
        count("CompletedRequestCount", "Pieces of work that ended.", Facts.Pool::completed);
        number(
                "ExecuteThreadIdleCount",
                "Threads that wait for work, those on standby not counted.",
                p -> p.idle() - p.standby());
        number("ExecuteThreadTotalCount", "Threads.", Facts.Pool::threads);
        text(
                "HealthState",
                "HEALTH_OK; HEALTH_WARN: some threads are stuck; HEALTH_CRITICAL: all are, or it is shut down.",
                Facts.Pool::health);
        number("HoggingThreadCount", "Threads busy for much longer than usual.", Facts.Pool::hogging);
        count(
                "MinThreadsConstraintsCompleted",
                "Pieces of work under its min-threads constraint that ended.",
                Facts.Pool::minCompleted);
        number(
                "MinThreadsConstraintsPending",
                "Pieces of work under its min-threads constraint that wait.",
                Facts.Pool::minPending);
        count("OverloadRejectedRequestsCount", "Pieces of work refused.", Facts.Pool::rejected);
        number("PendingUserRequestCount", "Pieces of work that wait for a thread.", Facts.Pool::queued);
        number("QueueLength", "Pieces of work that wait for a thread.", Facts.Pool::queued);
        number("QueueLimit", "Pieces of work that may wait.", Facts.Pool::queueLimit);
        number(
                "SharedCapacityForWorkManagers",
                "Requests and work that may wait and run under all work managers.",
                Facts.Pool::sharedCapacity);
        number("StandbyThreadCount", "Idle threads above those that are kept.", Facts.Pool::standby);
        number("StuckThreadCount", "Threads that are stuck.", Facts.Pool::stuck);
        flag("Suspended", "Its shut-down trigger keeps new work out.", Facts.Pool::shutDown);
        decimal("Throughput", "Pieces of work a second.", _ -> throughput.apply(name));
        number("ExecuteThreadExtraCount", "Threads beyond the limit, for min-threads constraints.", Facts.Pool::extra);
        number("ExecuteThreadLimit", "Most threads.", Facts.Pool::maxThreads);
        number("ExecuteThreadPeakCount", "Most threads that ran at once.", Facts.Pool::peakThreads);
        number("QueueLengthPeak", "Most work that ever waited.", Facts.Pool::peakQueued);
    }
}
