package io.weir.journal.settings;

import io.weir.base.DeclaredMessage;
import io.weir.base.Severity;

/** The journal's part of the message catalogue; the persistent store's range of WebLogic. */
public enum JournalMessages implements DeclaredMessage {
    OPENING(280008, Severity.INFO, "Opening the journal \"{}\" in {}", ""),
    OPENED(
            280009,
            Severity.INFO,
            "The journal \"{}\" is open: {} entries live in {} segments of {} bytes, synchronous-write-policy {}",
            ""),
    CLOSED(280010, Severity.INFO, "The journal \"{}\" is closed with {} entries", ""),
    TORN_TAIL(
            289001,
            Severity.NOTICE,
            "Segment {} of the journal ends in the middle of a write at offset {}: {} bytes cut",
            "Nothing that was acknowledged is lost: the machine or the process died while writing."),
    DAMAGED(
            289002,
            Severity.ERROR,
            "Segment {} of the journal is damaged at offset {} (sequence {}, {} bytes): skipped, what follows is kept",
            "A message or acknowledgement stored there is lost: ./weir jms damage says which, as far as it is known. Check the"
                    + " disk; restore from a copy where it matters."),
    MISSING(
            289003,
            Severity.CRITICAL,
            "Segment {} of the journal in {} is missing, or its header cannot be read",
            "Restore the file; or, accepting the loss of what was in it, start once with tolerate-missing-files."),
    WRITE_FAILED(
            289004,
            Severity.CRITICAL,
            "Writing to the journal \"{}\" failed, segment {} is abandoned at offset {}: {}",
            "Nothing of the batch was acknowledged. Check the disk; the journal continues in a new segment when it can."),
    SUSPENDED(
            289005,
            Severity.ERROR,
            "The journal \"{}\" refuses additions: {}",
            "Free disk, or raise max-total-size; it resumes by itself with the next send after retry-after."),
    RESUMED(289006, Severity.NOTICE, "The journal \"{}\" accepts additions again", ""),
    QUEUE_FULL(
            289007,
            Severity.WARNING,
            "The queue of the journal \"{}\" is full: {} groups and {} bytes wait",
            "The disk does not keep up: slow the senders by quotas, or raise queue-groups and queue-bytes."),
    DELETE_FAILED(
            289008,
            Severity.WARNING,
            "Segment {} of the journal is empty but could not be deleted: {}",
            "It is deleted with the next start."),
    GIVEN_BACK(289009, Severity.FINE, "Segment {} of the journal was released", ""),
    BAD_COMPLETION(
            289010,
            Severity.ERROR,
            "A completion of the journal \"{}\" failed: {}",
            "This is a bug in Weir: please report it with this line."),
    DIED(
            289011,
            Severity.CRITICAL,
            "The thread of the journal \"{}\" ended with an error, everything is refused until a restart: {}",
            "Restart the server: what was acknowledged is on the disk. This is a bug in Weir, or there was no memory"
                    + " left: please report it with this line."),
    FOREIGN_FILE(
            289012,
            Severity.WARNING,
            "The file {} in the journal's directory is not a segment: it is ignored",
            "Move it away; the directory belongs to the journal alone."),
    NOT_CLOSED(
            289013,
            Severity.WARNING,
            "A file of the journal could not be closed: {}: {}",
            "Nothing is lost by it; the process's end closes it."),
    NOT_PREPARED(289014, Severity.FINE, "A segment that is no longer needed was not created: {}", ""),
    DAMAGE_OPEN(
            289015,
            Severity.ERROR,
            "The journal \"{}\" has {} damaged places that are not acknowledged",
            "./weir jms damage lists what was lost; ./weir jms damage --acknowledge confirms that it was seen."),
    DAMAGE_NOT_KEPT(
            289016,
            Severity.ERROR,
            "The list of damage of the journal \"{}\" could not be written: {}",
            "Make room on the disk. What was found is listed until the process ends, and found again by the next start."),
    DAMAGE_UNREADABLE(
            289017,
            Severity.ERROR,
            "The list of damage of the journal \"{}\" cannot be read, it is set aside: {}",
            "Check the disk. Earlier damage that is still in a segment is found again."),
    DAMAGE_ACKNOWLEDGED(289018, Severity.NOTICE, "{} acknowledged {} damaged places of the journal \"{}\"", ""),
    SET_ASIDE(
            289019,
            Severity.ERROR,
            "The file {} of the journal is not empty, but its header cannot be read: set aside as {}",
            "What was written to it last may be lost. Check the disk; keep the file for analysis."),
    READING(289020, Severity.NOTICE, "Reading the journal \"{}\": {} of {} bytes, {} entries so far", ""),
    REPLAYING(289021, Severity.NOTICE, "Loading the journal \"{}\": {} of {} entries", ""),
    CROWDED(
            289022,
            Severity.NOTICE,
            "Not even the index of the journal \"{}\" fits into the heap: its entries are counted, including removed"
                    + " ones",
            "");

    private final Declaration declaration;

    JournalMessages(int id, Severity severity, String text, String remedy) {
        this.declaration = new Declaration(id, severity, "Store", text, remedy);
    }

    @Override
    public Declaration declaration() {
        return declaration;
    }
}
