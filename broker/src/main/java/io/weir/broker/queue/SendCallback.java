package io.weir.broker.queue;

import io.weir.broker.report.RequestRefusal;
import org.jspecify.annotations.Nullable;

/**
 * Called once, on any thread: when a message that was sent or moved is safe by its delivery mode, or with why it is
 * not.
 */
@FunctionalInterface
public interface SendCallback {
    /** Ignores the outcome. */
    SendCallback NOBODY = _ -> {};

    void done(@Nullable RequestRefusal failure);
}
