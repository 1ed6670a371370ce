package io.weir.lab.messaging;

import io.weir.base.SystemClock;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for what another thread brings about. Stateless. */
final class Await {
    private static final Duration LONG = Duration.ofMinutes(3);

    private Await() {}

    /** Waits until it is so; an AssertionError says what never came. */
    static void until(String what, BooleanSupplier so) {
        long end = SystemClock.INSTANCE.nanos() + LONG.toNanos();
        while (!so.getAsBoolean()) {
            if (SystemClock.INSTANCE.nanos() - end > 0) {
                throw new AssertionError("never: " + what);
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
    }
}
