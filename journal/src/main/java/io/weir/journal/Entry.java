package io.weir.journal;

import org.jspecify.annotations.Nullable;

/** One addition of a group. Has the same owner as its group. */
final class Entry {
    /** {@link #offset} of an entry that was not written, because it was no longer wanted. */
    static final long NOWHERE = -1;

    final long id;
    final int type;
    final int length;
    final Payload payload;

    @Nullable
    Entry next;
    /** Offset of its record in the segment of its batch, or {@link #NOWHERE}. */
    long offset = NOWHERE;

    Entry(long id, int type, Payload payload) {
        this.id = id;
        this.type = type;
        this.payload = payload;
        this.length = payload.length();
    }
}
