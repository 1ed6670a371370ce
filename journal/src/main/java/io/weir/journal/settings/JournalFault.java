package io.weir.journal.settings;

import org.jspecify.annotations.Nullable;

/** Why the journal took nothing, kept nothing, or does not start. Says what, where and what to do. Immutable. */
public final class JournalFault extends Exception {
    private static final long serialVersionUID = 1L;

    /** The kinds of refusal; each is counted under its name. */
    public enum Reason {
        /** The submission queue is at its bound of records or bytes. */
        QUEUE_FULL,
        /** One entry or group is larger than the journal takes. */
        TOO_LARGE,
        /** No room for another segment: the disk is full or max-total-size is reached. */
        DISK_FULL,
        /** A write or force failed; what was in the batch may or may not be on the disk, and counts as not written. */
        IO_ERROR,
        /** The group's fence is older than the journal's. */
        STALE_FENCE,
        /** A payload failed to write itself: a fault of its owner. */
        BAD_PAYLOAD,
        /** The journal's thread ended by an error: nothing is taken until a restart. */
        DIED,
        /** No memory for the buffer in which a group is gathered, or for what a start would have to hold. */
        NO_MEMORY,
        /** The journal is closed, or was closed before the group was written. */
        CLOSED,
        /** Another process or journal holds the directory. */
        LOCKED,
        /** A sealed segment is not there, or a file is not a segment of this journal. */
        SEGMENT_MISSING,
        /** The format's version is not one that this program reads. */
        VERSION
    }

    private final Reason reason;

    public JournalFault(Reason reason, String message) {
        this(reason, message, null);
    }

    public JournalFault(Reason reason, String message, @Nullable Throwable cause) {
        super(message, cause, false, false);
        this.reason = reason;
    }

    public Reason reason() {
        return reason;
    }
}
