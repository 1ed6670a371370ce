package io.weir.broker.report;

import java.util.concurrent.atomic.AtomicLong;

/** How much there is now, was at most and came altogether. Written by one thread, read by any. Shared. */
public final class HighWaterGauge {
    private final AtomicLong current = new AtomicLong();
    private final AtomicLong high = new AtomicLong();
    private final AtomicLong total = new AtomicLong();

    /** Counts something that came. By the owner. */
    public void add(long n) {
        long now = current.getPlain() + n;
        current.setOpaque(now);
        total.setOpaque(total.getPlain() + n);
        if (now > high.getPlain()) {
            high.setOpaque(now);
        }
    }

    /** Counts something that went. By the owner. */
    public void subtract(long n) {
        current.setOpaque(current.getPlain() - n);
    }

    public long current() {
        return current.getOpaque();
    }

    public long high() {
        return high.getOpaque();
    }

    public long total() {
        return total.getOpaque();
    }
}
