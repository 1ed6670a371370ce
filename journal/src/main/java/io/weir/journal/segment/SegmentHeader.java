package io.weir.journal.segment;

import io.weir.journal.settings.JournalFault;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The first bytes of a segment file, written twice so that one flipped bit does not make it unreadable. Immutable.
 *
 * @param number ascending over the journal's life; never reused
 * @param salt secret that is part of the records' checksums
 * @param firstRecord offset of the first record
 * @param capacity bytes allocated for the file
 * @param created wall-clock milliseconds, for people
 */
public record SegmentHeader(long number, long salt, int firstRecord, long capacity, long created) {
    static final int BYTES = 64;
    public static final int SECOND_COPY = 256;
    public static final int AREA = 512;
    static final long MAGIC = 0x57_45_49_52_4A_52_4E_4CL; // WEIRJRNL
    static final int VERSION = 1;

    /** Writes both copies; afterwards the buffer's position is after the area. */
    void write(ByteBuffer b) {
        int at = b.position();
        copy(b, at);
        copy(b, at + SECOND_COPY);
        b.position(at + AREA);
    }

    private void copy(ByteBuffer b, int at) {
        b.putLong(at, MAGIC);
        b.putInt(at + 8, VERSION);
        b.putInt(at + 12, firstRecord);
        b.putLong(at + 16, number);
        b.putLong(at + 24, salt);
        b.putLong(at + 32, capacity);
        b.putLong(at + 40, created);
        b.putInt(at + 60, sum(b, at));
    }

    /**
     * Reads it from a buffer of {@link #AREA} bytes.
     *
     * @return null if neither copy is valid
     * @throws JournalFault if it was written by an unsupported version
     */
    static @Nullable SegmentHeader read(ByteBuffer b) throws JournalFault {
        SegmentHeader first = at(b, 0);
        return first != null ? first : at(b, SECOND_COPY);
    }

    private static @Nullable SegmentHeader at(ByteBuffer b, int at) throws JournalFault {
        if (b.limit() < at + BYTES || b.getLong(at) != MAGIC || b.getInt(at + 60) != sum(b, at)) {
            return null;
        }
        int version = b.getInt(at + 8);
        if (version != VERSION) {
            throw new JournalFault(
                    JournalFault.Reason.VERSION,
                    "the journal has format version " + version + ", this program reads version " + VERSION
                            + ": use the program that wrote it");
        }
        return new SegmentHeader(
                b.getLong(at + 16), b.getLong(at + 24), b.getInt(at + 12), b.getLong(at + 32), b.getLong(at + 40));
    }

    private static int sum(ByteBuffer b, int at) {
        CRC32C crc = new CRC32C();
        crc.update(b.slice(at, 60));
        return (int) crc.getValue();
    }
}
