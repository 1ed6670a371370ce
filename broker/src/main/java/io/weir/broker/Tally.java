package io.weir.broker;

import java.util.concurrent.atomic.AtomicLong;

/** How much there is now, was at most and came altogether. Written by one thread, read by any. Shared. */
final class Tally {
    private final AtomicLong current = new AtomicLong();
    private final AtomicLong high = new AtomicLong();
    private final AtomicLong total = new AtomicLong();

    /** Counts something that came. By the owner. */
    void add(long n) {
        long now = current.getPlain() + n;
        current.setOpaque(now);
        total.setOpaque(total.getPlain() + n);
        if (now > high.getPlain()) {
            high.setOpaque(now);
        }
    }

    /** Counts something that went. By the owner. */
    void subtract(long n) {
        current.setOpaque(current.getPlain() - n);
    }

    long current() {
        return current.getOpaque();
    }

    long high() {
        return high.getOpaque();
    }

    long total() {
        return total.getOpaque();
    }
}
