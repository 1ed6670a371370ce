package io.weir.cluster.jdbc;

import io.weir.base.Clock;
import org.jspecify.annotations.Nullable;

/**
 * How soon a member polls the table of decisions again. Decisions come in runs: one who leaves, one who lets go, one
 * who acquires, one who is active, by turns of different members. So after an entry it polls each ten milliseconds,
 * then backs off to the configured interval: fifteen polls more for each run, none while nothing happens. Confined to
 * the log's thread.
 */
final class Pace {
    static final long SOONEST_NANOS = 10_000_000;
    /** What has passed since the last entry, divided by this, passes until the next question. */
    private static final int SHARE = 4;

    private final Clock clock;
    private final long slowest;
    private @Nullable Long moved;

    /** @param slowest nanoseconds from one question to the next while nothing happens */
    Pace(Clock clock, long slowest) {
        this.clock = clock;
        this.slowest = slowest;
    }

    /** An entry came, this member's own or another's. */
    void moved() {
        moved = clock.nanos();
    }

    /** Nanoseconds until the next question. */
    long next() {
        Long at = moved;
        return at == null ? slowest : Math.min(slowest, Math.max(SOONEST_NANOS, (clock.nanos() - at) / SHARE));
    }
}
