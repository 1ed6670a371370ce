package io.weir.journal;

import io.weir.journal.settings.JournalFault;
import org.jspecify.annotations.Nullable;

/** Notified once when a group is durable according to the write policy, or has failed. */
@FunctionalInterface
public interface Completion {
    /** Does nothing: for groups whose completion does not matter. */
    Completion NONE = _ -> {};

    /**
     * Called on the journal's thread, in the order of submission, once for each group of a batch, or before {@link
     * Journal#submit} returns if the group is refused immediately. It must not block or throw; what it throws is
     * counted and logged in both cases, and does not reach the caller.
     *
     * @param fault null if every entry of the group is durable (or was not wanted); otherwise none of it takes effect
     */
    void completed(@Nullable JournalFault fault);
}
