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

    /** @param round starts one; its result always completes */
    Rounds(Supplier<CompletableFuture<T>> round, Clock clock) {
        this.round = round;
        this.clock = clock;
    }

    /** The result of the next round. */
    CompletableFuture<T> nextResult() {
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
        CompletableFuture<T> current;
        synchronized (this) {
            current = next;
            next = null;
            running = current != null;
        }
        if (current != null) {
            var _ = begun().whenComplete((found, failure) -> {
                if (failure == null) {
                    last = new Found<>(found, clock.nanos());
                    current.complete(found);
                } else {
                    current.completeExceptionally(failure);
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

    /** The last round's result, if it ended within the given time; else null. */
    @Nullable
    T recent(Duration age) {
        Found<T> found = last;
        return found != null && clock.nanos() - found.nanos() <= age.toNanos() ? found.what() : null;
    }

    /** Whether no round is in progress. */
    synchronized boolean idle() {
        return !running;
    }
}
