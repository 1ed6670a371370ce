package io.weir.proxy.cache.disk;

import io.weir.base.DeclaredMessage;
import io.weir.base.Severity;

/** The disk tier's messages. */
public enum DiskMessages implements DeclaredMessage {
    RECOVERED(101_803, Severity.INFO, "The disk tier has {} objects in {} segments, read in {} ms.", ""),
    READ_FAILED(
            101_804,
            Severity.WARNING,
            "A part of the disk tier could not be read at the start: {}.",
            "What was read is used, the rest is fetched again. Check the disk."),
    WRITE_FAILED(
            101_805,
            Severity.WARNING,
            "The disk tier cannot write: {}. Requests are answered from memory and from the origins.",
            "Check the disk of cache.disk.path: its space, its permissions, its health. It is tried again every ten"
                    + " seconds. A full disk makes the tier smaller: its oldest segments are removed."),
    WRITES_AGAIN(101_806, Severity.INFO, "The disk tier writes again; it has {} bytes of at most {}.", ""),
    SEGMENT_DROPPED(
            101_807,
            Severity.WARNING,
            "The disk tier removed segment {}: a checksum in it was wrong. Its answers are fetched again.",
            "Check the disk of cache.disk.path.");

    private final Declaration declaration;

    DiskMessages(int id, Severity severity, String text, String remedy) {
        this.declaration = new Declaration(id, severity, "Cache", text, remedy);
    }

    @Override
    public Declaration declaration() {
        return declaration;
    }
}
