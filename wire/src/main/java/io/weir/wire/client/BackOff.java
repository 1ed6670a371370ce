package io.weir.wire.client;

import io.weir.base.Chance;
import java.time.Duration;

/**
 * The wait before each attempt to reconnect: doubled each time up to a limit, and reduced randomly by up to half so
 * that clients that lost the same server do not reconnect simultaneously. Immutable.
 *
 * @param first wait before the second attempt; the first is made immediately
 * @param most the maximum wait
 * @param total time over which attempts are made; negative for no limit
 */
public record BackOff(Duration first, Duration most, Duration total) {
    /** 100 ms to 10 s, without a time limit. */
    public static final BackOff DEFAULT =
            new BackOff(Duration.ofMillis(100), Duration.ofSeconds(10), Duration.ofMillis(-1));

    /**
     * The wait before an attempt.
     *
     * @param attempt 0 for the first
     * @return nanoseconds
     */
    public long nanosBefore(int attempt, Chance chance) {
        if (attempt <= 0) {
            return 0;
        }
        long wait = first.toNanos();
        for (int i = 1; i < attempt && wait < most.toNanos(); i++) {
            wait *= 2;
        }
        wait = Math.min(wait, most.toNanos());
        return wait - (wait > 1 ? chance.random().nextLong(wait / 2 + 1) : 0);
    }
}
