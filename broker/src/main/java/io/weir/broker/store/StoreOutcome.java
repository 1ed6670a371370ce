package io.weir.broker.store;

import io.weir.journal.settings.JournalFault;
import org.jspecify.annotations.Nullable;

/** Called on its home loop when a request is durable or has failed. */
@FunctionalInterface
public interface StoreOutcome {
    /** Ignores the outcome. */
    StoreOutcome IGNORED = _ -> {};

    /** Called once. With a fault no part of the request has taken effect. */
    void done(@Nullable JournalFault fault);
}
