package io.weir.broker.queue;

import org.jspecify.annotations.Nullable;

/** Finds where a queue moves messages that it cannot deliver. Shared; called on the queue's loop. */
@FunctionalInterface
public interface Mover {
    /** The configured error destination of a destination; null if there is none or it does not exist. */
    @Nullable
    ErrorDestination errorDestination(QueueContext from);
}
