package io.weir.broker;

import org.jspecify.annotations.Nullable;

/** Who sent a message, or moved it: told once when it is safe by its delivery mode, or why it is not. Called on any thread. */
@FunctionalInterface
interface Sent {
    /** Nobody needs to know. */
    Sent NOBODY = _ -> {};

    void done(@Nullable Refusal failure);
}
