package io.weir.journal;

import java.util.concurrent.atomic.AtomicLong;

/** Gives out ids: ascending, from 1. Shared; one atomic number. */
final class SequenceSource {
    private final AtomicLong last = new AtomicLong();

    long next() {
        return last.incrementAndGet();
    }

    /** The highest id given out. */
    long last() {
        return last.get();
    }

    /** Continues after what was found on the disk. */
    void startAfter(long highest) {
        last.set(highest);
    }
}
