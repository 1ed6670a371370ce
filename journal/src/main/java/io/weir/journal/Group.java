package io.weir.journal;

import io.weir.base.Fence;
import io.weir.journal.segment.Records;
import io.weir.journal.settings.JournalFault;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Additions and removals that become durable together or not at all, created by {@link Journal#group()}. Confined to
 * the thread that builds it until submitted, then to the journal; can be submitted once.
 */
public final class Group {
    private final SequenceSource sequences;

    @Nullable
    Entry first;

    @Nullable
    Entry last;

    int additions;
    long[] removals = NO_IDS;
    int removalCount;
    Fence fence = Fence.NONE;
    private boolean relieving;
    /** Whether it may be larger than the bound on groups. */
    boolean promised;

    /** The next older group in the submission queue, then the next younger one in the batch. */
    @Nullable
    Group next;

    Completion completion = Completion.NONE;
    /** Bytes counted against the queue's limits. */
    long charge;
    /** Time of submission in nanoseconds, for the latency histogram. */
    long submittedAt;
    /** Whether its completion was called; confined to the journal's thread. */
    boolean completed;
    /** Set if the journal could not write it although others of its batch were written. */
    @Nullable
    JournalFault fault;
    /** A further request to the journal; ordinary groups have none. */
    @Nullable
    Control control;

    private static final long[] NO_IDS = new long[0];

    /** Requests of the journal's own groups. */
    enum Control {
        CHECKPOINT
    }

    Group(SequenceSource sequences) {
        this.sequences = sequences;
    }

    /**
     * Adds an entry.
     *
     * @param type the owner's kind of entry, returned by the replay
     * @return its id: ascending, never reused, returned by the replay and needed by {@link #remove}
     */
    public long add(int type, Payload payload) {
        Entry e = new Entry(sequences.next(), type, payload);
        if (last == null) {
            first = e;
        } else {
            last.next = e;
        }
        last = e;
        additions++;
        return e.id;
    }

    /** Removes an entry by its id; ignored if it was removed already or never written. */
    public Group remove(long id) {
        if (removalCount == removals.length) {
            removals = Arrays.copyOf(removals, Math.max(1, removalCount * 2));
        }
        removals[removalCount++] = id;
        return this;
    }

    /** Allows the group to be written only under this fence, or a later one. */
    public Group fenced(Fence by) {
        fence = by;
        return this;
    }

    /**
     * Marks its additions as making room (they record deliveries or removals): like removals they are accepted while
     * the disk or the queue is full.
     */
    public Group relieving() {
        relieving = true;
        return this;
    }

    /**
     * Marks it as part of a promise that an earlier group made: it is accepted although it is larger than the limit of
     * groups, which may have been lowered since.
     */
    public Group promised() {
        promised = true;
        return this;
    }

    /** Whether it uses space rather than freeing some. */
    boolean takesRoom() {
        return additions > 0 && !relieving;
    }

    public boolean isEmpty() {
        return additions == 0 && removalCount == 0;
    }

    /** Bytes that it occupies in the queue, and that count against the group size limit. */
    long bytes() {
        long sum = (long) Records.HEADER * additions + (long) Records.REMOVAL_BYTES * removalCount;
        for (Entry e = first; e != null; e = e.next) {
            sum += e.length;
        }
        return sum;
    }

    void releasePayloads() {
        for (Entry e = first; e != null; e = e.next) {
            e.payload.release();
        }
    }
}
