package io.weir.broker.queue;

import io.weir.broker.report.RequestRefusal;
import org.jspecify.annotations.Nullable;

/**
 * Called once, on any thread, when a message that was sent or moved is stored as its delivery mode requires, or with
 * the reason of its failure.
 */
@FunctionalInterface
public interface SendCallback {
    /** Ignores the outcome. */
    SendCallback IGNORED = _ -> {};

    void done(@Nullable RequestRefusal failure);
}
