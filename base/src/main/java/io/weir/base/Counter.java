package io.weir.base;

import java.util.concurrent.atomic.LongAdder;

/** A monotonically increasing count. Shared by all threads without contention; resolve it once and keep it. */
public final class Counter {
    private final Stats owner;
    private final LongAdder sum = new LongAdder();

    Counter(Stats owner) {
        this.owner = owner;
    }

    public void inc() {
        if (owner.collecting()) {
            sum.increment();
        }
    }

    public void add(long n) {
        if (owner.collecting()) {
            sum.add(n);
        }
    }

    public long value() {
        return sum.sum();
    }
}
