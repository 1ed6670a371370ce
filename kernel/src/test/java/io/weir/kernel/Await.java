package io.weir.kernel;

import io.weir.base.SystemClock;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for conditions without sleeping for fixed times. */
public final class Await {
    private static final long LIMIT = TimeUnit.MINUTES.toNanos(3);

    private Await() {}

    /** Polls until the condition holds; fails after three minutes. */
    public static void until(String what, BooleanSupplier condition) {
        long begin = SystemClock.INSTANCE.nanos();
        while (!condition.getAsBoolean()) {
            if (SystemClock.INSTANCE.nanos() - begin > LIMIT) {
                throw new AssertionError("waited in vain: " + what);
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
        }
    }
}
