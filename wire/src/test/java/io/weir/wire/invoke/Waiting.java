package io.weir.wire.invoke;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for a condition, with a bound. */
public final class Waiting {
    private Waiting() {}

    public static void until(BooleanSupplier condition) {
        for (int i = 0; i < 2000; i++) {
            if (condition.getAsBoolean()) {
                return;
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
        }
        throw new AssertionError("it did not come to pass");
    }
}
