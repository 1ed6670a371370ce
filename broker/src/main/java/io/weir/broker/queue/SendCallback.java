package io.weir.broker.queue;

import io.weir.broker.report.RequestRefusal;
import org.jspecify.annotations.Nullable;

/** Who sent a message, or moved it: told once when it is safe by its delivery mode, or why it is not. Called on any thread. */
@FunctionalInterface
public interface SendCallback {
    /** Nobody needs to know. */
    SendCallback NOBODY = _ -> {};

    void done(@Nullable RequestRefusal failure);
}
