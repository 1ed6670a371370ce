package io.weir.base;

import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.ConcurrentHistogram;

/** A distribution of values in the unit of its declaration, two significant digits. Shared. */
public final class Histogram {
    private static final long HIGHEST = 3_600_000_000_000L;

    private final Stats owner;
    private final ConcurrentHistogram values = new ConcurrentHistogram(HIGHEST, 2);
    private final LongAdder total = new LongAdder();

    Histogram(Stats owner) {
        this.owner = owner;
    }

    /** Records one value; negative ones count as zero, ones above an hour (in nanoseconds) as an hour. */
    public void record(long value) {
        if (owner.collecting()) {
            long v = Math.min(HIGHEST, Math.max(0, value));
            values.recordValue(v);
            total.add(v);
        }
    }

    public long count() {
        return values.getTotalCount();
    }

    /** Sum of all recorded values. */
    public long total() {
        return total.sum();
    }

    /** The value at or below which the given percentage of values lies. */
    public long percentile(double percent) {
        return values.getValueAtPercentile(percent);
    }

    public long max() {
        return values.getMaxValue();
    }

    /** Number of values at or below the bound, for cumulative buckets. */
    public long countUpTo(long bound) {
        return values.getCountBetweenValues(0, Math.min(HIGHEST, bound));
    }
}
