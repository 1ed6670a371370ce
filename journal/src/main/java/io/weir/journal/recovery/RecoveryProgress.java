package io.weir.journal.recovery;

import io.weir.base.Clock;
import io.weir.base.DeclaredMessage;
import io.weir.base.Log;
import java.util.concurrent.TimeUnit;

/** Logs the progress of a start, at most every few seconds. Confined to the opening thread; used for one start. */
public final class RecoveryProgress {
    /** Interval between two log lines. */
    public static final long EVERY_NANOS = TimeUnit.SECONDS.toNanos(5);
    /** Number of steps between two checks of the clock. */
    private static final int STEPS = 64;

    private final Clock clock;
    private final Log log;
    private long lastLog;
    private int steps;

    public RecoveryProgress(Clock clock, Log log) {
        this.clock = clock;
        this.log = log;
        this.lastLog = clock.nanos();
    }

    /** Counts a step; returns true if it is time to {@link #log} the progress. */
    public boolean step() {
        return ++steps % STEPS == 0 && clock.nanos() - lastLog >= EVERY_NANOS;
    }

    public void log(DeclaredMessage message, Object... values) {
        lastLog = clock.nanos();
        this.log.log(message, values);
    }
}
