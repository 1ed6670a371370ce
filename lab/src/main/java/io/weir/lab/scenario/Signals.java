package io.weir.lab.scenario;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Named synchronisation points of actors: one signals, any number wait. Shared by the actors of one scenario. */
final class Signals {
    private final Map<String, CompletableFuture<Void>> signals = new ConcurrentHashMap<>();
    private volatile @Nullable Throwable aborted;

    void signal(String name) {
        future(name).complete(null);
    }

    void await(String name, long millis) {
        try {
            future(name).get(millis, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new ScenarioFailure("nobody signalled `" + name + "` within " + millis + " ms", e);
        } catch (ExecutionException e) {
            throw new ScenarioFailure("an actor failed before `" + name + "`", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ScenarioFailure("interrupted while waiting for `" + name + "`", e);
        }
    }

    /** Called when an actor has failed: fails all waiters, whose signals may never come. */
    void abort(Throwable cause) {
        aborted = cause;
        signals.values().forEach(f -> f.completeExceptionally(cause));
    }

    private CompletableFuture<Void> future(String name) {
        CompletableFuture<Void> future = signals.computeIfAbsent(name, n -> new CompletableFuture<>());
        Throwable cause = aborted;
        if (cause != null) {
            future.completeExceptionally(cause);
        }
        return future;
    }
}
