package io.weir.cluster.lease;

import io.weir.base.Log;
import io.weir.cluster.stats.ClusterMessages;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;

/** What is done with a future's value, or with its fault; an error in that is logged and not swallowed by the future. */
public final class FutureOutcome {
    private FutureOutcome() {}

    /**
     * On the thread that completes it, or the caller's when it is complete.
     *
     * @param failed gets the cause itself, not what futures wrap around it
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
