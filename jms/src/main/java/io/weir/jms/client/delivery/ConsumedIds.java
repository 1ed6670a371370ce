package io.weir.jms.client.delivery;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The messages that a client-acknowledged session consumed on one link and has not acknowledged, by their ids: after a
 * loss of the link they are redelivered under other tags. Messages can be acknowledged by another thread than the one
 * that consumed them, hence the lock, which is hardly ever contended.
 */
public final class ConsumedIds {
    /** The globally unique id of a message. */
    public record Id(long connection, long sequence) {
        public static final Id NONE = new Id(0, 0);
    }

    /** Longs for each message: its tag, then its id. */
    private static final int EACH = 3;

    private final ReentrantLock lock = new ReentrantLock();
    private long[] consumed = new long[8 * EACH];
    private int used;

    void add(long tag, Id id) {
        add(new long[] {tag, id.connection(), id.sequence()});
    }

    /** Adds messages that were taken and not acknowledged after all. */
    void add(long[] taken) {
        lock.lock();
        try {
            if (used + taken.length > consumed.length) {
                consumed = Arrays.copyOf(consumed, Math.max(consumed.length * 2, used + taken.length));
            }
            System.arraycopy(taken, 0, consumed, used, taken.length);
            used += taken.length;
        } finally {
            lock.unlock();
        }
    }

    /** Removes and returns those with a tag up to {@code to}. */
    long[] take(long to) {
        lock.lock();
        try {
            long[] taken = new long[used];
            int t = 0;
            int k = 0;
            for (int i = 0; i < used; i += EACH) {
                if (consumed[i] <= to) {
                    System.arraycopy(consumed, i, taken, t, EACH);
                    t += EACH;
                } else {
                    System.arraycopy(consumed, i, consumed, k, EACH);
                    k += EACH;
                }
            }
            used = k;
            return Arrays.copyOf(taken, t);
        } finally {
            lock.unlock();
        }
    }

    /** All that are not acknowledged. */
    Set<Id> all() {
        lock.lock();
        try {
            Set<Id> all = new HashSet<>();
            for (int i = 0; i < used; i += EACH) {
                all.add(new Id(consumed[i + 1], consumed[i + 2]));
            }
            return all;
        } finally {
            lock.unlock();
        }
    }
}
