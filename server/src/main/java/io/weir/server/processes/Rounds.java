package io.weir.server.processes;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Something that is worked out for whoever asks, one round at a time: who asks during a round shares the next one, so that
 * however many ask, two rounds at most are due, and nobody gets what is older than his question. Shared.
 */
final class Rounds<T> {
    private final Supplier<CompletableFuture<T>> round;
    private boolean running;
    private @Nullable CompletableFuture<T> next;

    /** @param round begins one; what it returns completes in any case */
    Rounds(Supplier<CompletableFuture<T>> round) {
        this.round = round;
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

    /** Whether none is under way. */
    synchronized boolean idle() {
        return !running;
    }
}
