package io.weir.journal;

import io.weir.base.Fence;
import io.weir.journal.segment.Records;
import io.weir.journal.settings.JournalFault;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Additions and removals that become durable together or not at all, made by {@link Journal#group()}. Confined to the
 * thread that builds it until submitted, then to the journal; good for one submission.
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

    /** Next older one in the submission queue, then next younger one in the batch. */
    @Nullable
    Group next;

    Completion completion = Completion.NONE;
    /** Bytes and records counted against the queue's bounds. */
    long charge;
    /** Time of submission in nanoseconds, for the latency histogram. */
    long submittedAt;
    /** Its completion was called; confined to the journal's thread. */
    boolean completed;
    /** Set when the journal could not take it although others of its batch were written. */
    @Nullable
    JournalFault fault;
    /** What else the journal is to do when it meets this one; ordinary groups have none. */
    @Nullable
    Control control;

    private static final long[] NO_IDS = new long[0];

    /** What the journal's own groups ask for. */
    enum Control {
        CHECKPOINT
    }

    Group(SequenceSource sequences) {
        this.sequences = sequences;
    }

    /**
     * Adds an entry.
     *
     * @param type the owner's kind of entry, given back by the replay
     * @return its id: ascending, never used again, given back by the replay and wanted by {@link #remove}
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

    /** Removes an entry by its id; one that is gone already, or was never written, is passed over. */
    public Group remove(long id) {
        if (removalCount == removals.length) {
            removals = Arrays.copyOf(removals, Math.max(1, removalCount * 2));
        }
        removals[removalCount++] = id;
        return this;
    }

    /** Only the owner with this fence, or a later one, may write the group. */
    public Group fenced(Fence by) {
        fence = by;
        return this;
    }

    /**
     * Its additions serve to make room (they say what was delivered or removed): like removals they are taken while the
     * disk is full and while the queue is.
     */
    public Group relieving() {
        relieving = true;
        return this;
    }

    /** Whether it takes room, rather than making some. */
    boolean takesRoom() {
        return additions > 0 && !relieving;
    }

    public boolean isEmpty() {
        return additions == 0 && removalCount == 0;
    }

    /** Bytes that it takes in the queue, and counts against the bound of a group. */
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
