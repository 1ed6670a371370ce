package io.weir.broker.store;

import io.weir.journal.settings.JournalFault;

/**
 * Estimates the memory of a start's messages, with a margin (docs/journal.md has the measurements), before it is
 * allocated. Confined to the opening thread; used for one start.
 */
final class MemoryEstimate {
    /**
     * Heap bytes of a message with one copy while the journal is read: its index entry, its copy, its block's header.
     */
    private static final int READ = 352;
    /** The same for each further copy. */
    private static final int READ_COPY = 64;
    /** Heap bytes of the removal of one copy, or of a mark, in the index. */
    private static final int REFERENCE = 64;
    /** Additional heap bytes of a message once it is in its queue. */
    private static final int QUEUED = 288;
    /** Additional heap bytes of each copy once it is in its queue. */
    private static final int QUEUED_COPY = 152;

    private static final int SUBSCRIPTION = 1024;
    /** Blocks are allocated from chunks, with a loss of this fraction (1/n) of the block. */
    private static final int LOST = 8;

    private static final int LOST_LEAST = 32;

    private final StartRoom room;
    private long messages;
    private long bytes;
    private long further;
    private long removed;
    private long read;
    private long direct;
    private boolean counting;

    MemoryEstimate(StartRoom room) {
        this.room = room;
    }

    /** Restarts the estimate; from now on entries are only counted, including removed ones. */
    void startAgain() {
        messages = bytes = further = removed = read = direct = 0;
        counting = true;
    }

    /** @param size bytes of its block */
    void message(int copies, int size) {
        messages++;
        bytes += size;
        further += copies - 1;
        read += READ + (long) READ_COPY * (copies - 1);
        direct += size + Math.max(LOST_LEAST, size / LOST);
    }

    void removed() {
        removed++;
        read += REFERENCE;
    }

    void marked() {
        read += REFERENCE;
    }

    void subscription() {
        read += SUBSCRIPTION;
    }

    /** @param size bytes of a prepared branch's record */
    void branch(int size) {
        read += SUBSCRIPTION + 2L * size;
    }

    /** The heap bytes of the journal's index. */
    void index(long takes) {
        read = Math.max(read, takes);
    }

    long heap() {
        return room.heap();
    }

    /** Whether the entries read take more memory than there is. */
    boolean over() {
        return !room.holds(read, direct);
    }

    /** Heap bytes once all messages are in their queues. */
    long all() {
        return read + messages * QUEUED + Math.max(0, further - removed) * QUEUED_COPY;
    }

    /**
     * Called after the last entry.
     *
     * @throws JournalFault if the messages do not fit; its text contains sufficient settings
     */
    void check() throws JournalFault {
        if (!counting && room.holds(all(), direct)) {
            return;
        }
        throw new JournalFault(
                JournalFault.Reason.NO_MEMORY,
                "the stored messages do not fit the memory: " + messages + " messages"
                        + (further > 0 ? " with " + further + " further copies" : "") + " and " + bytes
                        + " bytes, which take about " + all() + " bytes of the heap and " + direct
                        + " of direct memory, where " + room.heap() + " of " + room.maxHeap() + " and " + room.direct()
                        + " of " + room.maxDirect() + " may be taken (the rest is for the work). Start with "
                        + room.enoughFor(all(), direct) + " or more (WEIR_JAVA_OPTS), or, so that it accepts"
                        + " further messages at once, with "
                        + room.enoughToSend(messages, Math.max(0, further - removed), bytes) + "; nothing is lost");
    }
}
