package io.weir.proxy.cache.disk;

import io.weir.base.DeclaredMessage;
import io.weir.base.Severity;

/** The disk tier's messages. */
public enum DiskMessages implements DeclaredMessage {
    RECOVERED(
            101_803,
            Severity.INFO,
            "Partition {} of the disk tier has {} objects in {} segments, read in {} ms. It keeps bodies of up to {}"
                    + " bytes, if cache.disk.max-object-size permits them.",
            ""),
    READ_FAILED(
            101_804,
            Severity.WARNING,
            "A part of partition {} of the disk tier could not be read at the start: {}.",
            "What was read is used, the rest is fetched again. Check the disk."),
    WRITE_FAILED(
            101_805,
            Severity.WARNING,
            "Partition {} of the disk tier cannot write: {}. Requests are answered from memory and from the origins.",
            "Check the disk of its path: its space, its permissions, its health. It is tried again every ten"
                    + " seconds. A full disk makes the tier smaller: its oldest segments are removed."),
    WRITES_AGAIN(
            101_806, Severity.INFO, "Partition {} of the disk tier writes again; it has {} bytes of at most {}.", ""),
    SEGMENT_DROPPED(
            101_807,
            Severity.WARNING,
            "The disk tier removed {} of partition {}: a checksum in it was wrong. Its answers are fetched" + " again.",
            "Check the disk of its path."),
    BEGUN_ANEW(
            101_808,
            Severity.WARNING,
            "Partition {} of the disk tier begins empty: {}.",
            "Nothing, if its folder was another's or was away. Its answers are fetched again."),
    LAYOUT_CHANGED(
            101_809,
            Severity.INFO,
            "Partition {} of the disk tier has other keys than at the last start: partitions or sizes were changed.",
            ""),
    ABSENT(
            101_810,
            Severity.WARNING,
            "Partition {} of the disk tier is left out: {}. Its requests are answered from memory and from the origins.",
            "Correct the path or repair the disk, and restart; the partition begins empty then."),
    COLLECTED(
            101_811,
            Severity.INFO,
            "Partition {} of the disk tier was collected ({}): {} bytes before, {} after, {} objects carried over, {}"
                    + " removed, in {} ms.",
            ""),
    STAYS_FOUND(
            101_812,
            Severity.ERROR,
            "Purges cannot be written to partition {} of the disk tier, and its folder cannot be given up: {}. If the"
                    + " server ends now, its next start answers what was purged.",
            "Repair the disk while the server runs; or empty the partition's folder before the next start."),

    NOT_ALONE(
            101_813,
            Severity.WARNING,
            "The folder of partition {} of the disk tier is not its own: {}.",
            "Move away what is not the tier's, or name a folder of its own, and restart."),
    BODY_DROPPED(
            101_814,
            Severity.WARNING,
            "The disk tier removed the file {} of partition {}, with a large body: a checksum in it was wrong, or it could"
                    + " not be read. It is fetched again.",
            "Check the disk of its path.");

    private final Declaration declaration;

    DiskMessages(int id, Severity severity, String text, String remedy) {
        this.declaration = new Declaration(id, severity, "Cache", text, remedy);
    }

    @Override
    public Declaration declaration() {
        return declaration;
    }
}
