package io.weir.proxy.cache.store;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * The hard limit: bytes are reserved here before they are allocated, whatever they are for. Shared, without locks. The
 * limit may fall below what is used; then nothing is granted until enough was given back.
 */
public final class Budget {
    private final AtomicLong used = new AtomicLong();
    private final LongSupplier limit;

    Budget(LongSupplier limit) {
        this.limit = limit;
    }

    /** Takes bytes, or refuses and changes nothing. */
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
