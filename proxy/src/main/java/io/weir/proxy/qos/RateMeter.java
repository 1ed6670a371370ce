package io.weir.proxy.qos;

import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;

/**
 * Measures an amount per second: in total, in the latest whole second, and the maximum of any second. Seconds are those
 * of the monotonic clock; an amount added at the end of one may count for the next. Shared by the muxers, lock-free.
 */
final class RateMeter {
    private static final long SECOND_NANOS = 1_000_000_000L;

    /**
     * The second being counted.
     *
     * @param before the total at its start
     * @param latest the amount of the second before it
     * @param most the maximum of any second
     */
    private record Second(long number, long before, long latest, long most) {}

    // a table of clients holds many: the updaters avoid an object for each value
    private static final AtomicLongFieldUpdater<RateMeter> TOTAL =
            AtomicLongFieldUpdater.newUpdater(RateMeter.class, "total");
    private static final AtomicReferenceFieldUpdater<RateMeter, Second> PRESENT =
            AtomicReferenceFieldUpdater.newUpdater(RateMeter.class, Second.class, "present");

    /** A second long before the first one. */
    private static final Second NONE = new Second(Long.MIN_VALUE / 2, 0, 0, 0);

    private volatile long total;
    private volatile Second present = NONE;

    private static long number(long now) {
        return Math.floorDiv(now, SECOND_NANOS);
    }

    void add(long n, long now) {
        turn(now);
        TOTAL.addAndGet(this, n);
    }

    /** Ends the counted second if a later one has begun. */
    private Second turn(long now) {
        while (true) {
            Second s = present;
            long later = number(now) - s.number();
            if (later <= 0) {
                return s;
            }
            long sum = total;
            long counted = sum - s.before();
            Second next = new Second(number(now), sum, later == 1 ? counted : 0, Math.max(s.most(), counted));
            if (PRESENT.compareAndSet(this, s, next)) {
                return next;
            }
        }
    }

    /** The amount of the latest whole second. */
    long rate(long now) {
        return turn(now).latest();
    }

    /** The maximum of any second, including the current one. */
    long most(long now) {
        Second s = turn(now);
        return Math.max(s.most(), total - s.before());
    }

    /** The total so far. */
    long total() {
        return total;
    }
}
