package io.weir.proxy.cache.store;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * The hard memory limit: bytes are reserved here before they are allocated, whatever their purpose. Shared, without
 * locks. The limit may fall below what is used; then nothing is granted until enough has been released.
 */
public final class Budget {
    private final AtomicLong used = new AtomicLong();
    private final LongSupplier limit;

    Budget(LongSupplier limit) {
        this.limit = limit;
    }

    /** Reserves bytes, or returns false and changes nothing. */
    public boolean reserve(long bytes) {
        for (; ; ) {
            long now = used.get();
            if (bytes > limit.getAsLong() - now) {
                return false;
            }
            if (used.compareAndSet(now, now + bytes)) {
                return true;
            }
        }
    }

    public void release(long bytes) {
        long left = used.addAndGet(-bytes);
        assert left >= 0 : "more released than reserved: " + left;
    }

    public long used() {
        return used.get();
    }

    public long limit() {
        return limit.getAsLong();
    }

    boolean over() {
        return used() > limit();
    }
}
