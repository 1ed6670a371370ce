package io.weir.proxy.qos;

import io.weir.base.Counter;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A bound on bytes a second: a token bucket with a capacity of a quarter of a second, at least 16 KiB. In any time t at
 * most {@code rate * t} plus one bucket is granted. Shared by the muxers, lock-free.
 */
final class Bandwidth {
    /** The bucket must last two ticks of the deadlines at which senders retry. */
    static final long BURST_NANOS = 250_000_000L;

    static final long LEAST_BURST_BYTES = 16 * 1024;

    // when the bucket was or will be empty, monotonic nanoseconds
    private final AtomicLong empty;
    private final AtomicInteger waiting = new AtomicInteger();
    private final Counter pauses;
    private volatile long rate;

    /**
     * A full bucket.
     *
     * @param now monotonic nanoseconds
     * @param pauses counts senders that wait for it
     */
    Bandwidth(long now, Counter pauses) {
        this.pauses = pauses;
        this.empty = new AtomicLong(now - 3600_000_000_000L);
    }

    /** Bytes a second; 0 for no bound. */
    void rate(long bytes) {
        rate = bytes;
    }

    boolean bounded() {
        return rate > 0;
    }

    private static long burst(long r) {
        return Math.max(BURST_NANOS, nanos(LEAST_BURST_BYTES, r));
    }

    private static long nanos(long bytes, long r) {
        return (long) Math.ceil(bytes * 1e9 / r);
    }

    /** Bytes that would be granted now. */
    long available(long now) {
        long r = rate;
        if (r == 0) {
            return Long.MAX_VALUE;
        }
        long held = Math.clamp(now - empty.get(), 0, burst(r));
        return (long) (held * (double) r / 1e9);
    }

    /** The share of one waiting sender now. */
    long share(long now, int more) {
        return available(now) / Math.max(1, waiting.get() + more);
    }

    /** Takes up to the given number of bytes; returns how many. */
    long grant(long want, long now) {
        while (true) {
            long r = rate;
            if (r == 0) {
                return want;
            }
            long before = empty.get();
            long oldest = now - burst(r);
            long from = before - oldest > 0 ? before : oldest;
            long bytes = Math.min(want, Math.max(0, (long) ((now - from) * (double) r / 1e9)));
            if (bytes == 0 || empty.compareAndSet(before, from + nanos(bytes, r))) {
                return bytes;
            }
        }
    }

    /** Returns bytes that were granted but not sent. */
    void refund(long bytes) {
        long r = rate;
        if (r > 0 && bytes > 0) {
            empty.addAndGet(-nanos(bytes, r));
        }
    }

    void beginWait() {
        pauses.inc();
        waiting.incrementAndGet();
    }

    void endWait() {
        waiting.decrementAndGet();
    }

    /** Whether the bucket is full, so that a new one would be equivalent. */
    boolean isIdle(long now) {
        long r = rate;
        return r == 0 || now - empty.get() >= burst(r);
    }
}
