package io.weir.proxy.qos;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * How much of something there is each second: in all, in the latest whole second, and the most in any. Seconds are those
 * of the monotonic clock; what is added just when one ends may count for the next. Shared by the muxers, lock-free.
 */
final class Meter {
    private static final long SECOND_NANOS = 1_000_000_000L;

    /**
     * The second that is being counted.
     *
     * @param before what had come in all when it began
     * @param latest what came in the second before it
     * @param most what came in the one with most
     */
    private record Second(long number, long before, long latest, long most) {}

    private final AtomicLong total = new AtomicLong();
    private final AtomicReference<Second> present;

    /** Nothing so far; the time is monotonic nanoseconds. */
    Meter(long now) {
        present = new AtomicReference<>(new Second(number(now), 0, 0, 0));
    }

    private static long number(long now) {
        return Math.floorDiv(now, SECOND_NANOS);
    }

    void add(long n, long now) {
        turn(now);
        total.addAndGet(n);
    }

    /** Ends the second that was counted where a later one has begun. */
    private Second turn(long now) {
        while (true) {
            Second s = present.get();
            long later = number(now) - s.number();
            if (later <= 0) {
                return s;
            }
            long sum = total.get();
            long came = sum - s.before();
            Second next = new Second(number(now), sum, later == 1 ? came : 0, Math.max(s.most(), came));
            if (present.compareAndSet(s, next)) {
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
        return Math.max(s.most(), total.get() - s.before());
    }

    /** What came so far. */
    long total() {
        return total.get();
    }
}
