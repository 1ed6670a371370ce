package io.weir.broker.report;

import java.util.concurrent.atomic.AtomicLong;

/**
 * How much there is now, was at most, came altogether, and was recovered at the start, which did not come. Written by
 * one thread, read by any. Shared.
 */
public final class HighWaterGauge {
    private final AtomicLong current = new AtomicLong();
    private final AtomicLong high = new AtomicLong();
    private final AtomicLong total = new AtomicLong();
    private final AtomicLong recovered = new AtomicLong();

    /** Counts something that came. By the owner. */
    public void add(long n) {
        count(n);
        raise(n);
    }

    /** Counts something as come that {@link #raise} has added, once it is certain that it stays. By the owner. */
    public void count(long n) {
        total.setOpaque(total.getPlain() + n);
    }

    /** Counts something that an earlier run left in the journal. By the owner. */
    public void restore(long n) {
        recovered.setOpaque(recovered.getPlain() + n);
        raise(n);
    }

    /** Adds something that is there, and may still be refused. By the owner. */
    public void raise(long n) {
        long now = current.getPlain() + n;
        current.setOpaque(now);
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

    public long recovered() {
        return recovered.getOpaque();
    }
}
