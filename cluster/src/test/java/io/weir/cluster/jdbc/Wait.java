package io.weir.cluster.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.SystemClock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Waiting with a bound. */
final class Wait {
    private static final Duration LONGEST = Duration.ofSeconds(60);

    private Wait() {}

    static void until(String what, BooleanSupplier condition) {
        until(what, LONGEST, condition);
    }

    /** The same, where waiting longer would hide what is asked. */
    static void until(String what, Duration longest, BooleanSupplier condition) {
        long until = SystemClock.INSTANCE.nanos() + longest.toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(SystemClock.INSTANCE.nanos() - until).as(what).isNegative();
            LockSupport.parkNanos(2_000_000);
        }
    }

    /** What a future completes with; its failure is thrown. */
    static <T extends @Nullable Object> T on(CompletableFuture<T> future) throws Exception {
        try {
            return future.get(LONGEST.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        }
    }

    /** What a future failed with; null when it did not. */
    static @Nullable Throwable failure(CompletableFuture<?> future) throws InterruptedException, TimeoutException {
        try {
            future.get(LONGEST.toSeconds(), TimeUnit.SECONDS);
            return null;
        } catch (ExecutionException e) {
            return e.getCause();
        }
    }
}
