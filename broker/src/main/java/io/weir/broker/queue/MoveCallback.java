package io.weir.broker.queue;

import io.weir.broker.report.RequestRefusal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The callback of a move, or of other work on many entries. */
@FunctionalInterface
public interface MoveCallback {
    /**
     * Called once, on the queue's loop.
     *
     * @param staying entries that were not moved, which the caller reinserts
     * @param failure why they stay; null if all are moved
     */
    void done(List<QueueEntry> staying, @Nullable RequestRefusal failure);
}
