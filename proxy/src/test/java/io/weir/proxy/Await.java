package io.weir.proxy;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for conditions within a bound. */
final class Await {
    private static final int STEPS = 180_000;

    private Await() {}

    /** Returns once the condition holds; fails after about three minutes. */
    static void until(String what, BooleanSupplier condition) {
        for (int i = 0; i < STEPS; i++) {
            if (condition.getAsBoolean()) {
                return;
            }
            LockSupport.parkNanos(Duration.ofMillis(1).toNanos());
        }
        throw new AssertionError("waited in vain: " + what);
    }
}
