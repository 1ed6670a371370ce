package io.weir.journal;

import io.weir.journal.settings.JournalFault;
import org.jspecify.annotations.Nullable;

/** Told once that a group is durable by the write policy, or why not. */
@FunctionalInterface
public interface Completion {
    /** Does nothing: for groups whose completion does not matter. */
    Completion NONE = _ -> {};

    /**
     * Called on the journal's thread, in the order of submission, once for each group of a batch, or before
     * {@link Journal#submit} returns when the group is refused at once. It must not block and must not throw.
     *
     * @param fault null: every entry of the group is durable (or was not wanted); otherwise nothing of it counts
     */
    void completed(@Nullable JournalFault fault);
}
