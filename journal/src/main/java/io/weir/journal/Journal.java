package io.weir.journal;

import io.weir.journal.damage.Damages;
import io.weir.journal.settings.JournalFault;
import org.jspecify.annotations.Nullable;

/**
 * An append-only log of entries that are live until they are removed. One thread collects all waiting groups, writes
 * them, forces once according to the write policy and completes them; meanwhile the next batch accumulates, without
 * timers. Shared: any thread may submit. Lives from {@link Journals#open} to {@link #close()}. Format and failures:
 * docs/journal.md.
 */
public interface Journal extends AutoCloseable {
    /** Creates an empty group. */
    Group group();

    /**
     * Submits a group. Never blocks. Groups are written, and completed, in the order of submission of each thread; a
     * refused group ({@link JournalFault.Reason#QUEUE_FULL}, the journal suspended after a fault, closed) is completed
     * with the fault before this returns, on the caller's thread, and its payloads are released.
     */
    void submit(Group group, Completion completion);

    /** Releases the payloads of a group that will not be submitted. */
    default void discard(Group group) {
        group.releasePayloads();
    }

    /** Submits one entry as a group of its own; returns its id. */
    default long append(int type, Payload payload, Completion completion) {
        Group g = group();
        long id = g.add(type, payload);
        submit(g, completion);
        return id;
    }

    /** Submits the removal of one entry as a group of its own. Removals of a batch share a record. */
    default void remove(long id, Completion completion) {
        submit(group().remove(id), completion);
    }

    /**
     * Registers an action that runs on the journal's thread after the completions of each batch, so that owners' loops
     * need to be woken only once. It must not block.
     */
    void afterBatch(Runnable action);

    /**
     * Completes when everything submitted before is durable, whatever the policy, and segments without live entries
     * were deleted.
     */
    void checkpoint(Completion completion);

    /** Why additions are refused now; null if they are not. For readiness and monitoring. */
    @Nullable
    JournalFault suspended();

    /** Damage found in the journal that is not acknowledged. */
    Damages damages();

    /** Disk space used, in bytes. */
    long diskBytes();

    /** Number of live entries. */
    long liveEntries();

    /** Writes, forces and completes everything submitted, and unlocks the directory. Later submissions are refused. */
    @Override
    void close();
}
