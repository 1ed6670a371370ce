package io.weir.wire;

import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for what another thread brings about. */
public final class Awaited {
    private static final int TRIES = 10_000;

    private Awaited() {}

    public static void until(BooleanSupplier condition) {
        for (int i = 0; i < TRIES; i++) {
            if (condition.getAsBoolean()) {
                return;
            }
            LockSupport.parkNanos(1_000_000);
        }
        throw new AssertionError("it did not happen in time");
    }
}
