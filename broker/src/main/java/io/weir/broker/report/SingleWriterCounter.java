package io.weir.broker.report;

import io.weir.base.Counter;
import io.weir.base.StatSpec;
import io.weir.base.Stats;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A counter of one destination, counted for each message by its loop alone, without an atomic operation. Written by one
 * thread, read by any. Shared; temporary destinations, which have one label together, share a counter instead.
 */
public final class SingleWriterCounter {
    private final AtomicLong count = new AtomicLong();
    private final @Nullable Counter together;

    SingleWriterCounter(Stats stats, StatSpec spec, String label) {
        if (label.equals(DestinationCounts.TEMPORARY)) {
            together = stats.counter(spec, label);
        } else {
            together = null;
            stats.counter(spec, count::getOpaque, label);
        }
    }

    /** From any thread. */
    public long value() {
        Counter c = together;
        return c == null ? count.getOpaque() : c.value();
    }

    /** By the destination's loop. */
    public void inc() {
        Counter c = together;
        if (c == null) {
            count.setOpaque(count.getPlain() + 1);
        } else {
            c.inc();
        }
    }
}
