package io.weir.cluster.lease;

import io.weir.base.Log;
import io.weir.cluster.stats.ClusterMessages;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;

/**
 * Handles a future's value or fault; an exception thrown by the handler is logged instead of being swallowed by the
 * future.
 */
public final class FutureOutcome {
    private FutureOutcome() {}

    /**
     * Handlers run on the thread that completes the future, or on the caller's if it is already complete.
     *
     * @param failed receives the cause, unwrapped from a {@link CompletionException}
     */
    public static <T> void of(CompletableFuture<T> future, Log log, Consumer<T> done, Consumer<Throwable> failed) {
        var _ = future.whenComplete((value, fault) -> {
            try {
                if (fault == null) {
                    done.accept(value);
                } else {
                    failed.accept(cause(fault));
                }
            } catch (RuntimeException | Error e) {
                log.log(ClusterMessages.UNCAUGHT, "member", e);
                throw e;
            }
        });
    }

    private static Throwable cause(Throwable fault) {
        Throwable inner = fault.getCause();
        return fault instanceof CompletionException && inner != null ? inner : fault;
    }
}
