package io.weir.broker.store;

import io.weir.journal.settings.JournalFault;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Delivers a store's outcomes to an event loop, those of a batch in one task. Shared; made by
 * {@link MessageStore#home}, lives as long as the store.
 */
public final class Home {
    private final Executor loop;
    private final Queue<Landed> landed = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean scheduled = new AtomicBoolean();

    private record Landed(StoreOutcome outcome, @Nullable JournalFault fault) {}

    Home(Executor loop) {
        this.loop = loop;
    }

    /** Adds an outcome, to be delivered with its batch or at once. */
    void land(StoreOutcome outcome, @Nullable JournalFault fault, boolean atOnce) {
        if (!outcome.equals(StoreOutcome.IGNORED)) {
            landed.add(new Landed(outcome, fault));
            if (atOnce) {
                deliver();
            }
        }
    }

    /** Schedules the delivery after a batch. */
    void deliver() {
        if (!landed.isEmpty() && scheduled.compareAndSet(false, true)) {
            loop.execute(this::drain);
        }
    }

    private void drain() {
        scheduled.set(false);
        try {
            for (Landed l = landed.poll(); l != null; l = landed.poll()) {
                l.outcome().done(l.fault());
            }
        } finally {
            // a callback that throws must not prevent the others from running
            deliver();
        }
    }
}
