package io.weir.base;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** A clock that moves only when stepped: for tests and the simulator. Shared; its state is atomic. */
public final class SteppedClock implements Clock {
    private final AtomicLong nanos = new AtomicLong();
    private final AtomicLong startMillis;

    /** Starts at the given wall-clock time, milliseconds since the epoch. */
    public SteppedClock(long startMillis) {
        this.startMillis = new AtomicLong(startMillis);
    }

    /** Moves both clocks forward. */
    public void step(Duration by) {
        nanos.addAndGet(by.toNanos());
    }

    /** Somebody sets the wall clock, forward or back; the monotonic one goes on. */
    public void jump(Duration by) {
        startMillis.addAndGet(by.toMillis());
    }

    @Override
    public long nanos() {
        return nanos.get();
    }

    @Override
    public long millis() {
        return startMillis.get() + nanos.get() / 1_000_000;
    }
}
