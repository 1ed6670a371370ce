package io.weir.broker.queue;

import org.jspecify.annotations.Nullable;

/** Finds where a queue moves what it cannot deliver. Shared; called on the queue's loop. */
@FunctionalInterface
public interface Mover {
    /** The error destination that a destination's settings name; null where they name none or it does not exist. */
    @Nullable
    ErrorDestination errorDestination(QueueContext from);
}
