package io.weir.server.admin;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits in tests until something is so, three minutes at most. */
public final class Await {
    private static final int TURNS = 18_000;

    private Await() {}

    public static void until(BooleanSupplier condition) {
        for (int i = 0; i < TURNS && !condition.getAsBoolean(); i++) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
        }
        if (!condition.getAsBoolean()) {
            throw new AssertionError("it did not come about within three minutes");
        }
    }
}
