package io.weir.base;

/**
 * The only source of time in Weir. Injected everywhere so that tests and the simulator can step it. Implementations are
 * immutable or shared without locks.
 */
public interface Clock {
    /** Monotonic time in nanoseconds from an arbitrary origin; only differences are meaningful. */
    long nanos();

    /** Wall-clock time in milliseconds since the epoch; may jump, so it is for dates, never for durations. */
    long millis();
}
