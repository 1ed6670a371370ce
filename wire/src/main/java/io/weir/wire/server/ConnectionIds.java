package io.weir.wire.server;

import io.weir.base.Clock;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Connection numbers that are unique across restarts: 2^20 for each millisecond of the wall clock since the start, so a
 * server would have to accept a million connections in every millisecond to reach its successor's numbers. Shared.
 */
public final class ConnectionIds implements LongSupplier {
    private final AtomicLong next;

    /** Starts at the clock's time, so that a later process does not reuse an earlier process's numbers. */
    public ConnectionIds(Clock clock) {
        next = new AtomicLong(clock.millis() << 20 & Long.MAX_VALUE);
    }

    @Override
    public long getAsLong() {
        return next.incrementAndGet();
    }
}
