package io.weir.journal;

import java.util.concurrent.atomic.AtomicLong;

/** Assigns ids: ascending, from 1. Shared; one atomic number. */
final class SequenceSource {
    private final AtomicLong last = new AtomicLong();

    long next() {
        return last.incrementAndGet();
    }

    /** The highest id assigned. */
    long last() {
        return last.get();
    }

    /** Continues after the highest id found on the disk. */
    void startAfter(long highest) {
        last.set(highest);
    }
}
