package io.weir.journal.settings;

import org.jspecify.annotations.Nullable;

/**
 * Why the journal refused or lost a group, or does not start. The message says what, where and what to do. Immutable.
 */
public final class JournalFault extends Exception {
    private static final long serialVersionUID = 1L;

    /** The kinds of refusal; each is counted under its name. */
    public enum Reason {
        /** The submission queue has reached its limit of groups or bytes. */
        QUEUE_FULL,
        /** An entry or group is larger than the limit. */
        TOO_LARGE,
        /** No room for another segment: the disk is full or max-total-size is reached. */
        DISK_FULL,
        /** A write or force failed; the batch may or may not be on the disk, and counts as not written. */
        IO_ERROR,
        /** The group's fence is older than the journal's. */
        STALE_FENCE,
        /** A payload failed to write itself: a bug of its owner. */
        BAD_PAYLOAD,
        /** The journal's thread terminated because of an error: everything is refused until a restart. */
        DIED,
        /** No memory for the buffer of a group, or for the data that a start has to hold. */
        NO_MEMORY,
        /** The journal is closed, or was closed before the group was written. */
        CLOSED,
        /** Another process or journal holds the directory. */
        LOCKED,
        /** A sealed segment is missing, or a file is not a segment of this journal. */
        SEGMENT_MISSING,
        /** The format version is not supported. */
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
