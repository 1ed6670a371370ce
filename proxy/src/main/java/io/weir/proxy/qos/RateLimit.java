package io.weir.proxy.qos;

import io.weir.kernel.listen.RequestRate;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A bound on the rate of requests: the generic cell rate algorithm (ITU-T I.371), a token bucket represented by one
 * number: the time when the bucket will be full again. At rest it has no state that would be lost by discarding it.
 * Shared, lock-free.
 */
public final class RateLimit {
    private final AtomicLong full;

    /**
     * A full bucket.
     *
     * @param now monotonic nanoseconds
     */
    public RateLimit(long now) {
        this.full = new AtomicLong(now);
    }

    /** Counts a request if there is a bound; returns 0 if it passes, else the nanoseconds until one would. */
    public long take(long now, RequestRate bound) {
        return bound.bounded() ? take(now, bound.requestRate(), bound.requestBurst()) : 0;
    }

    /**
     * Counts a request.
     *
     * @param now monotonic nanoseconds
     * @param rate requests a second, positive
     * @param burst requests at once after a pause; 0: the number of one second, at least one
     * @return 0 if it passes, else the nanoseconds until one would
     */
    long take(long now, double rate, int burst) {
        long interval = Math.max(1, (long) (1e9 / rate));
        long most = burst > 0 ? burst : Math.max(1, (long) rate);
        long tolerance = interval * (most - 1);
        while (true) {
            long until = full.get();
            long from = until - now > 0 ? until : now;
            if (from - now > tolerance) {
                return from - now - tolerance;
            }
            if (full.compareAndSet(until, from + interval)) {
                return 0;
            }
        }
    }

    /** Whether the bucket is full, so that a new one would be equivalent. */
    boolean isIdle(long now) {
        return full.get() - now <= 0;
    }
}
