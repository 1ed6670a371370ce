package io.weir.journal.recovery;

import io.weir.journal.segment.Records;
import io.weir.journal.segment.Segment;
import io.weir.journal.segment.SegmentFiles;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Overwrites the remains of a half-written last batch, so that they are not found again. Immutable. */
final class Repair {
    private Repair() {}

    /** Writes padding over a torn place between valid records; nothing in it was acknowledged. */
    static void pad(Segment s, long offset, long length) throws IOException {
        if (length < Records.HEADER) {
            return;
        }
        ByteBuffer b = ByteBuffer.allocate(Records.HEADER);
        Records.Place place = new Records.Place(s.header.salt(), offset);
        new Records().header(b, (int) length - Records.HEADER, Records.PAD, place);
        SegmentFiles.writeAll(s.file, b.clear(), offset);
        s.file.force();
    }
}
