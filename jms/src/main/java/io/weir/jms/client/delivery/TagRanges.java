package io.weir.jms.client.delivery;

import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The tags that a session consumed and has not acknowledged, as ranges. Messages can be acknowledged by another thread
 * than the one that consumed them, hence the lock, which is hardly ever contended.
 */
public final class TagRanges {
    private final ReentrantLock lock = new ReentrantLock();
    private long[] bounds = new long[8];
    private int used;

    /** Adds a tag. */
    public void add(long tag) {
        lock.lock();
        try {
            if (used > 0 && bounds[used - 1] == tag - 1) {
                bounds[used - 1] = tag;
                return;
            }
            if (used == bounds.length) {
                bounds = Arrays.copyOf(bounds, used * 2);
            }
            bounds[used++] = tag;
            bounds[used++] = tag;
        } finally {
            lock.unlock();
        }
    }

    /** Adds ranges that were taken and not acknowledged after all. */
    public void add(long[] ranges) {
        lock.lock();
        try {
            bounds = Arrays.copyOf(bounds, Math.max(bounds.length, used + ranges.length));
            System.arraycopy(ranges, 0, bounds, used, ranges.length);
            used += ranges.length;
        } finally {
            lock.unlock();
        }
    }

    /** Whether there are tags up to {@code to}. */
    boolean any(long to) {
        lock.lock();
        try {
            for (int i = 0; i < used; i += 2) {
                if (bounds[i] <= to) {
                    return true;
                }
            }
            return false;
        } finally {
            lock.unlock();
        }
    }

    /** Removes the tags up to {@code to} and returns them, in pairs of first and last of each range. */
    public long[] take(long to) {
        lock.lock();
        try {
            long[] taken = new long[used];
            long[] kept = new long[Math.max(8, used)];
            int t = 0;
            int k = 0;
            for (int i = 0; i < used; i += 2) {
                long from = bounds[i];
                long end = bounds[i + 1];
                if (from <= to) {
                    taken[t++] = from;
                    taken[t++] = Math.min(end, to);
                }
                if (end > to) {
                    kept[k++] = Math.max(from, to + 1);
                    kept[k++] = end;
                }
            }
            bounds = kept;
            used = k;
            return Arrays.copyOf(taken, t);
        } finally {
            lock.unlock();
        }
    }
}
