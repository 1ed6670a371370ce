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

    /**
     * Numbers of values at or below each of the bounds, for cumulative buckets. One pass over the range of what was recorded:
     * the library's own count for one bound is a pass from 0, with a lock for each step, and views ask for many bounds.
     *
     * @param bounds ascending
     */
    public long[] countsUpTo(long... bounds) {
        long[] counts = new long[bounds.length];
        if (values.getTotalCount() == 0) {
            return counts;
        }
        long max = values.getMaxValue();
        long value = values.lowestEquivalentValue(values.getMinValue());
        long seen = 0;
        for (int i = 0; i < bounds.length; i++) {
            for (; value <= Math.min(max, bounds[i]); value = values.nextNonEquivalentValue(value)) {
                seen += values.getCountAtValue(value);
            }
            counts[i] = seen;
        }
        return counts;
    }
}
