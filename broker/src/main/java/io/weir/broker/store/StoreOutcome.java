package io.weir.broker.store;

import io.weir.journal.settings.JournalFault;
import org.jspecify.annotations.Nullable;

/** Told on its home loop that something is durable, or why not. */
@FunctionalInterface
public interface StoreOutcome {
    /** Ignores the outcome. */
    StoreOutcome IGNORED = _ -> {};

    /** Called once. With a fault nothing of what was asked counts. */
    void done(@Nullable JournalFault fault);
}
