package io.weir.kernel;

import java.time.Duration;

/**
 * The result of a drain. Immutable.
 *
 * @param open connections that were open when it began
 * @param idle of these, the idle ones that were closed immediately
 * @param finished of these, the busy ones that ended by themselves
 * @param reset of these, the ones reset when the time-out expired
 * @param took from begin to end
 */
public record DrainReport(int open, int idle, int finished, int reset, Duration took) {
    /** Whether no connection had to be reset. */
    public boolean clean() {
        return reset == 0;
    }
}
