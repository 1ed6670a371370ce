package io.weir.cluster.jdbc;

import io.weir.base.Clock;
import org.jspecify.annotations.Nullable;

/**
 * Adaptive poll interval of the log table. Entries come in bursts by different members: one leaves, one releases, one
 * acquires, one reports active. So after an entry the table is polled every ten milliseconds, backing off to the
 * configured interval: fifteen additional polls per burst, none while idle. Confined to the log's thread.
 */
final class Pace {
    static final long SOONEST_NANOS = 10_000_000;
    /** The next poll is due after the time since the last entry divided by this. */
    private static final int SHARE = 4;

    private final Clock clock;
    private final long slowest;
    private @Nullable Long moved;

    /** @param slowest nanoseconds between polls while idle */
    Pace(Clock clock, long slowest) {
        this.clock = clock;
        this.slowest = slowest;
    }

    /** An entry was read, of this member or another. */
    void moved() {
        moved = clock.nanos();
    }

    /** Nanoseconds until the next poll. */
    long next() {
        Long at = moved;
        return at == null ? slowest : Math.min(slowest, Math.max(SOONEST_NANOS, (clock.nanos() - at) / SHARE));
    }
}
