package io.weir.server.processes;

import io.weir.base.Clock;
import io.weir.base.Counter;
import io.weir.base.Stats;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A place for a worker: its number, its process, and how soon the next one is started when that one dies. Confined to
 * the supervisor's loop.
 */
final class Slot {
    /** A process that ended within this time is restarted with back-off: its successor may fail for the same cause. */
    static final Duration YOUNG = Duration.ofSeconds(10);

    private static final long FIRST_MILLIS = 100;
    private static final long MAX_DELAY_MILLIS = 10_000;

    private final int number;
    private final Clock clock;
    private final Counter restarts;
    private final Counter hung;
    // read by the gauges on other threads
    private volatile @Nullable Worker worker;
    private volatile boolean up;
    private int young;
    private boolean waiting;
    private boolean held;
    /** The clock's nanoseconds when a process was last ready here, and when it was last reported that none is. */
    private long served;

    private long reported;

    Slot(int number, Clock clock, Stats stats) {
        this.number = number;
        this.clock = clock;
        this.served = clock.nanos();
        this.reported = served;
        this.restarts = stats.counter(ProcessStats.RESTARTS, Integer.toString(number));
        this.hung = stats.counter(ProcessStats.HUNG, Integer.toString(number));
        stats.gauge(ProcessStats.UP, () -> up ? 1 : 0, Integer.toString(number));
        stats.gauge(ProcessStats.PID, this::pid, Integer.toString(number));
    }

    int number() {
        return number;
    }

    private long pid() {
        Worker w = worker;
        return w == null ? 0 : w.pid();
    }

    /** The process that serves or is to serve; null if there is none. */
    @Nullable
    Worker worker() {
        return worker;
    }

    /** Whether a process is to be started here as soon as there is none. */
    boolean free() {
        Worker w = worker;
        return (w == null || w.state() == Worker.State.GONE) && !waiting && !held;
    }

    /** Sets whether the next one is started with a delay after the previous one died. */
    void waiting(boolean on) {
        waiting = on;
    }

    /** Sets whether an upgrade starts the next one. */
    void held(boolean on) {
        held = on;
    }

    /** Called when a process is ready here. */
    void served(long now) {
        served = now;
        reported = now;
    }

    /** The time for which none has been ready. */
    Duration unserved(long now) {
        return Duration.ofNanos(now - served);
    }

    /** Whether none has been ready for the given time since the last report. */
    boolean due(long now, Duration alarm) {
        if (now - reported < alarm.toNanos()) {
            return false;
        }
        reported = now;
        return true;
    }

    void started(Worker w) {
        worker = w;
    }

    void ready() {
        up = true;
    }

    /**
     * The process ended unexpectedly.
     *
     * @return delay of the restart, milliseconds: none after a long life, else with exponential back-off
     */
    long died(@Nullable Worker w) {
        worker = null;
        up = false;
        restarts.inc();
        if (w != null && w.age(clock.nanos()) > YOUNG.toNanos()) {
            young = 0;
            return 0;
        }
        young = Math.min(young + 1, 10);
        return Math.min(MAX_DELAY_MILLIS, FIRST_MILLIS << (young - 1));
    }

    /** Called when the process no longer serves. */
    void down() {
        up = false;
    }

    /** Called when the process hangs. */
    void hung() {
        hung.inc();
    }

    /** Called when the process has ended as requested. */
    void ended() {
        worker = null;
        up = false;
    }
}
