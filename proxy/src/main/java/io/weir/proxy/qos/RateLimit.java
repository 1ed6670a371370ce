package io.weir.proxy.qos;

import io.weir.kernel.listen.RequestRate;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A bound on the rate of requests: the generic cell rate algorithm (ITU-T I.371), which is a token bucket in one number:
 * when the bucket will be full again. At rest it holds nothing that would be lost by forgetting it. Shared, lock-free.
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

    /** Takes a request where there is a bound; 0 when it passes, else the nanoseconds until one would. */
    public long take(long now, RequestRate bound) {
        return bound.bounded() ? take(now, bound.requestRate(), bound.requestBurst()) : 0;
    }

    /**
     * Takes a request.
     *
     * @param now monotonic nanoseconds
     * @param rate requests a second, positive
     * @param burst requests at once after a pause; 0: those of a second, at least one
     * @return 0 when it passes, else the nanoseconds until one would
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

    /** Whether the bucket is full, so that a new one would be the same. */
    boolean rests(long now) {
        return full.get() - now <= 0;
    }
}
