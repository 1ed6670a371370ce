package io.weir.proxy.qos;

import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;

/**
 * How much of something there is each second: in all, in the latest whole second, and the most in any. Seconds are those
 * of the monotonic clock; what is added just when one ends may count for the next. Shared by the muxers, lock-free.
 */
final class RateMeter {
    private static final long SECOND_NANOS = 1_000_000_000L;

    /**
     * The second that is being counted.
     *
     * @param before what had come in all when it began
     * @param latest what came in the second before it
     * @param most what came in the one with most
     */
    private record Second(long number, long before, long latest, long most) {}

    // a table of clients holds many: these need no objects of their own
    private static final AtomicLongFieldUpdater<RateMeter> TOTAL =
            AtomicLongFieldUpdater.newUpdater(RateMeter.class, "total");
    private static final AtomicReferenceFieldUpdater<RateMeter, Second> PRESENT =
            AtomicReferenceFieldUpdater.newUpdater(RateMeter.class, Second.class, "present");

    /** Long before the first. */
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

    /** Ends the second that was counted where a later one has begun. */
    private Second turn(long now) {
        while (true) {
            Second s = present;
            long later = number(now) - s.number();
            if (later <= 0) {
                return s;
            }
            long sum = total;
            long came = sum - s.before();
            Second next = new Second(number(now), sum, later == 1 ? came : 0, Math.max(s.most(), came));
            if (PRESENT.compareAndSet(this, s, next)) {
                return next;
            }
        }
    }

    /** What came in the latest whole second. */
    long rate(long now) {
        return turn(now).latest();
    }

    /** The most that came in any second, the present one included. */
    long most(long now) {
        Second s = turn(now);
        return Math.max(s.most(), total - s.before());
    }

    /** What came so far. */
    long total() {
        return total;
    }
}
