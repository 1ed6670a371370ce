package io.weir.lab.model;

import io.weir.base.Clock;

/** Time that passes when the simulation says so; the wall clock may jump by itself. Confined to the simulation's thread. */
final class SimulatedClock implements Clock {
    private static final long START = 1_700_000_000_000L;

    private long nanos;
    private long offset = START;
    private long latest = START;

    @Override
    public long nanos() {
        return nanos;
    }

    @Override
    public long millis() {
        return offset + nanos / 1_000_000;
    }

    /** The latest time that the wall clock ever showed. */
    long latest() {
        return latest;
    }

    /** Time passes. */
    void to(long nextNanos) {
        nanos = Math.max(nanos, nextNanos);
        latest = Math.max(latest, millis());
    }

    /** Somebody sets the wall clock. */
    void jump(long byMillis) {
        offset += byMillis;
        latest = Math.max(latest, millis());
    }
}
