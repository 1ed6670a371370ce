package io.weir.server.processes;

import io.weir.base.Clock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A result computed on demand, one round at a time: callers during a round share the next one, so that at most two
 * rounds are due under any load, and no caller gets a result older than its call. Shared.
 */
final class Rounds<T> {
    private record Found<T>(T what, long nanos) {}

    private final Supplier<CompletableFuture<T>> round;
    private final Clock clock;
    private volatile @Nullable Found<T> last;
    private boolean running;
    private @Nullable CompletableFuture<T> next;

    /** @param round begins one; what it returns completes in any case */
    Rounds(Supplier<CompletableFuture<T>> round, Clock clock) {
        this.round = round;
        this.clock = clock;
    }

    /** What the next round finds. */
    CompletableFuture<T> ask() {
        CompletableFuture<T> mine;
        synchronized (this) {
            mine = next == null ? new CompletableFuture<>() : next;
            next = mine;
            if (running) {
                return mine.copy();
            }
            running = true;
        }
        begin();
        return mine.copy();
    }

    private void begin() {
        CompletableFuture<T> asked;
        synchronized (this) {
            asked = next;
            next = null;
            running = asked != null;
        }
        if (asked != null) {
            var _ = begun().whenComplete((found, failure) -> {
                if (failure == null) {
                    last = new Found<>(found, clock.nanos());
                    asked.complete(found);
                } else {
                    asked.completeExceptionally(failure);
                }
                begin();
            });
        }
    }

    private CompletableFuture<T> begun() {
        try {
            return round.get();
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** What the last round found, where that ended so recently; else null. */
    @Nullable
    T recent(Duration age) {
        Found<T> found = last;
        return found != null && clock.nanos() - found.nanos() <= age.toNanos() ? found.what() : null;
    }

    /** Whether none is under way. */
    synchronized boolean idle() {
        return !running;
    }
}
