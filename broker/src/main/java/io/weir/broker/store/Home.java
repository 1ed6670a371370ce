package io.weir.broker.store;

import io.weir.journal.settings.JournalFault;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Where outcomes are told: an event loop. Those of one batch are handed to it by one task. Shared; made by
 * {@link MessageStore#home}, lives as long as the store.
 */
public final class Home {
    private final Executor loop;
    private final Queue<Landed> landed = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean told = new AtomicBoolean();

    private record Landed(StoreOutcome outcome, @Nullable JournalFault fault) {}

    Home(Executor loop) {
        this.loop = loop;
    }

    /** An outcome is known; told with the batch's others, or at once. */
    void land(StoreOutcome outcome, @Nullable JournalFault fault, boolean atOnce) {
        if (!outcome.equals(StoreOutcome.IGNORED)) {
            landed.add(new Landed(outcome, fault));
            if (atOnce) {
                tell();
            }
        }
    }

    /** After a batch. */
    void tell() {
        if (!landed.isEmpty() && told.compareAndSet(false, true)) {
            loop.execute(this::drain);
        }
    }

    private void drain() {
        told.set(false);
        try {
            for (Landed l = landed.poll(); l != null; l = landed.poll()) {
                l.outcome().done(l.fault());
            }
        } finally {
            // one that failed keeps no other from being told
            tell();
        }
    }
}
