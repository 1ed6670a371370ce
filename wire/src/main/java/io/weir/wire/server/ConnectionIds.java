package io.weir.wire.server;

import io.weir.base.Clock;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Numbers of connections that do not come again after a restart: 2^20 for each millisecond of the wall clock since the
 * start, so that a server must accept a million in every millisecond it runs to catch up with its successor. Shared.
 */
public final class ConnectionIds implements LongSupplier {
    private final AtomicLong next;

    /** Begins at the time of the clock, so that a later process gives none that an earlier one gave. */
    public ConnectionIds(Clock clock) {
        next = new AtomicLong(clock.millis() << 20 & Long.MAX_VALUE);
    }

    @Override
    public long getAsLong() {
        return next.incrementAndGet();
    }
}
