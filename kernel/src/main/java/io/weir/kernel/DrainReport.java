package io.weir.kernel;

import java.time.Duration;

/**
 * How a drain went. Immutable.
 *
 * @param open connections that were open when it began
 * @param idle of these, the idle ones that were closed at once
 * @param finished of these, the busy ones that ended by themselves
 * @param reset of these, the ones reset when the time was over
 * @param took from begin to end
 */
public record DrainReport(int open, int idle, int finished, int reset, Duration took) {
    /** Whether nothing had to be reset. */
    public boolean clean() {
        return reset == 0;
    }
}
