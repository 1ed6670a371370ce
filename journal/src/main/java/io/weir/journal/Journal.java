package io.weir.journal;

import io.weir.journal.damage.Damages;
import io.weir.journal.settings.JournalFault;
import org.jspecify.annotations.Nullable;

/**
 * An append-only log of entries that live until they are removed. One thread gathers all groups that wait, writes them,
 * forces once by the write policy and completes them; meanwhile the next batch gathers, without timers. Shared: any thread
 * may submit. Lives from {@link Journals#open} to {@link #close()}. Format and failures: docs/journal.md.
 */
public interface Journal extends AutoCloseable {
    /** A new, empty group. */
    Group group();

    /**
     * Hands a group over. Never blocks. Groups are written, and completed, in the order of submission of each thread; a
     * refused one ({@link JournalFault.Reason#QUEUE_FULL}, the journal suspended after a fault, closed) is completed with
     * the fault before this returns, on the caller's thread, and its payloads are released.
     */
    void submit(Group group, Completion completion);

    /** Lets go of a group that will not be submitted: its payloads are released. */
    default void discard(Group group) {
        group.releasePayloads();
    }

    /** One entry, a group of its own. Returns its id. */
    default long append(int type, Payload payload, Completion completion) {
        Group g = group();
        long id = g.add(type, payload);
        submit(g, completion);
        return id;
    }

    /** Removes one entry, a group of its own. Removals of a batch share a record. */
    default void remove(long id, Completion completion) {
        submit(group().remove(id), completion);
    }

    /**
     * Has an action run on the journal's thread after the completions of each batch: the place to hop to the owners' loops
     * once. It must not block.
     */
    void afterBatch(Runnable action);

    /**
     * Completes when everything submitted before is durable, whatever the policy, and segments in which nothing lives were
     * given back.
     */
    void checkpoint(Completion completion);

    /** Whether additions are refused now, and why; null while all is well. For readiness and monitoring. */
    @Nullable
    JournalFault suspended();

    /** What was found damaged in it, until somebody acknowledges it. */
    Damages damages();

    /** Bytes of the disk that it takes. */
    long diskBytes();

    /** Entries that live. */
    long liveEntries();

    /** Writes and forces what was submitted, completes it, frees the directory. Later submissions are refused. */
    @Override
    void close();
}
