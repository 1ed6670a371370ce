package io.weir.broker.store;

import io.weir.journal.settings.JournalFault;

/**
 * Reckons what a start's messages take of memory, with room to spare (docs/journal.md says what was measured), before
 * they take it. Confined to the opening thread; good for one start.
 */
final class Reckoning {
    /**
     * What a message with one copy takes while the journal is read: its place in the index, its copy, its block's head.
     */
    private static final int READ = 352;
    /** The same for each further copy. */
    private static final int READ_COPY = 64;
    /** What a removal of one copy, or a mark, takes; only the index has it. */
    private static final int REFERENCE = 64;
    /** What a message takes more once it is in its queue. */
    private static final int QUEUED = 288;
    /** What each copy takes more once it is in its queue. */
    private static final int QUEUED_COPY = 152;

    private static final int SUBSCRIPTION = 1024;
    /** Blocks are cut from chunks, with a part of each lost: this part of the block. */
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

    Reckoning(StartRoom room) {
        this.room = room;
    }

    /** From now on things are only counted, also what was removed. */
    void startAgain() {
        messages = bytes = further = removed = read = direct = 0;
        counting = true;
    }

    /** @param size of its block */
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

    /** What the journal's index takes by itself. */
    void index(long takes) {
        read = Math.max(read, takes);
    }

    long heap() {
        return room.heap();
    }

    /** What is read takes more than there is. */
    boolean over() {
        return !room.holds(read, direct);
    }

    /** Bytes of the heap, with all in their queues. */
    long all() {
        return read + messages * QUEUED + Math.max(0, further - removed) * QUEUED_COPY;
    }

    /**
     * Called after the last entry.
     *
     * @throws JournalFault when that does not fit; it says what would do
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
