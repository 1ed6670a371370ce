package io.weir.kernel.work;

import io.weir.base.Counter;
import io.weir.base.Histogram;
import io.weir.base.Stats;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * A fair-share or response-time request class. Shared: share and goal follow the configuration; each {@link FairQueue}
 * keeps its own state of the class.
 */
public final class ServiceClass implements RequestClass {
    /** The share of work without a configured class (WebLogic's default). */
    static final int DEFAULT_SHARE = 50;

    private static final double SECOND = 1e9;

    private final String name;
    private final Counter completed;
    private final Histogram wait;
    private final LongAdder waiting = new LongAdder();
    private volatile int share;
    private volatile long goalNanos;

    private ServiceClass(String name, int share, long goalNanos, Stats stats) {
        this.name = name;
        this.share = share;
        this.goalNanos = goalNanos;
        this.completed = stats.counter(WorkStats.CLASS_COMPLETED, name);
        this.wait = stats.histogram(WorkStats.CLASS_WAIT, name);
        stats.gauge(WorkStats.CLASS_WAITING, this::waiting, name);
        stats.gauge(WorkStats.CLASS_SHARE, this::share, name);
    }

    static ServiceClass of(String name, RequestClassConfig config, Stats stats) {
        return new ServiceClass(name, config.fairShare(), config.responseTime().toNanos(), stats);
    }

    /** The class of a work manager's work if none is configured. */
    static ServiceClass ofWorkManager(String name, Stats stats) {
        return new ServiceClass("work-manager:" + name, DEFAULT_SHARE, 0, stats);
    }

    void configure(RequestClassConfig config) {
        share = config.fairShare();
        goalNanos = config.responseTime().toNanos();
    }

    @Override
    public RequestClass of(@Nullable String user, @Nullable String groups) {
        return this;
    }

    String name() {
        return name;
    }

    int share() {
        return share;
    }

    /** The goal of a response-time class in nanoseconds; 0 for a fair share. */
    long goalNanos() {
        return goalNanos;
    }

    /**
     * Its weight against other classes when work is refused or displaced: the share; for a goal, one second weighs as
     * much as 50.
     */
    double weight() {
        return goalNanos == 0 ? share : Math.clamp(DEFAULT_SHARE * SECOND / goalNanos, 1, 1000);
    }

    long waiting() {
        return waiting.sum();
    }

    void queued() {
        waiting.increment();
    }

    /** An entry of this class stopped waiting. */
    void left() {
        waiting.decrement();
    }

    public void waited(long nanos) {
        wait.record(nanos);
    }

    public void done() {
        completed.inc();
    }
}
