package io.weir.broker.queue;

import io.weir.broker.report.RequestRefusal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Whoever asked for a move, or for other work on many entries. */
@FunctionalInterface
public interface MoveCallback {
    /**
     * Called once, on the queue's loop.
     *
     * @param staying entries that are where they were, and for the caller to put back
     * @param failure why they stay; null where all are moved
     */
    void done(List<QueueEntry> staying, @Nullable RequestRefusal failure);
}
