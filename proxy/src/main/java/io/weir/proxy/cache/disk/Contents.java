package io.weir.proxy.cache.disk;

import io.weir.proxy.cache.disk.files.SegmentFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The table of contents of a segment: 16 bytes a record, in the order of the log. Written at the segment's end when it
 * is full, so that a start reads this and not the records. Owned by the writer.
 */
final class Contents {
    private static final int MAGIC = 0x57544f43;
    private static final int FOOTER = 64;
    private static final int CRC_AT = FOOTER - Integer.BYTES;
    private static final int KIND_SHIFT = 44;
    private static final int OFFSET_SHIFT = 22;
    private static final long FIELD = (1L << OFFSET_SHIFT) - 1;

    private long[] entries = new long[1024];
    private int used;
    private long nextRecord = 1;

    /** Receives the records. */
    interface Visitor {
        void visit(RecordHead.Kind kind, long hash, long offset, long length);
    }

    void add(RecordHead.Kind kind, long hash, long offset, long length) {
        if (used == entries.length) {
            entries = Arrays.copyOf(entries, 2 * used);
        }
        entries[used++] = hash;
        long at = offset / Location.UNIT;
        long units = length / Location.UNIT;
        entries[used++] = ((long) kind.code() << KIND_SHIFT) | (at << OFFSET_SHIFT) | units;
    }

    /** The number of the first record after this segment's. */
    long nextRecord() {
        return nextRecord;
    }

    void nextRecord(long number) {
        nextRecord = number;
    }

    void forEach(Visitor visitor) {
        for (int i = 0; i < used; i += 2) {
            long packed = entries[i + 1];
            RecordHead.Kind kind = RecordHead.Kind.of((int) (packed >>> KIND_SHIFT));
            if (kind == null) {
                // of a later version
                continue;
            }
            visitor.visit(
                    kind,
                    entries[i],
                    ((packed >>> OFFSET_SHIFT) & FIELD) * Location.UNIT,
                    (packed & FIELD) * Location.UNIT);
        }
    }

    /** Writes the table at the position; what follows it in the file is cut off. */
    void write(SegmentFile file, long position, long sequence) throws IOException {
        int bytes = used * Long.BYTES;
        ByteBuffer out = ByteBuffer.allocate(bytes + FOOTER).order(ByteOrder.LITTLE_ENDIAN);
        out.asLongBuffer().put(entries, 0, used);
        out.putInt(bytes, MAGIC).putInt(bytes + 4, used / 2);
        out.putLong(bytes + 8, position).putLong(bytes + 16, sequence).putLong(bytes + 24, nextRecord);
        out.putInt(bytes + CRC_AT, Checksum.of(out, 0, bytes + CRC_AT));
        file.write(out, position);
        file.truncate(position + bytes + FOOTER);
    }

    /** The table of a file; null if it has none that is intact. */
    static @Nullable Contents read(SegmentFile file, long sequence) throws IOException {
        long size = file.size();
        ByteBuffer footer = ByteBuffer.allocate(FOOTER).order(ByteOrder.LITTLE_ENDIAN);
        if (size < Segment.HEADER + FOOTER || file.read(footer, size - FOOTER) < FOOTER) {
            return null;
        }
        long at = footer.getLong(8);
        int n = footer.getInt(4);
        long bytes = size - at;
        if (footer.getInt(0) != MAGIC
                || footer.getLong(16) != sequence
                || n < 0
                || at < Segment.HEADER
                || bytes != 2L * Long.BYTES * n + FOOTER) {
            return null;
        }
        ByteBuffer table = ByteBuffer.allocate(Math.toIntExact(bytes)).order(ByteOrder.LITTLE_ENDIAN);
        if (file.read(table, at) < bytes
                || table.getInt(table.limit() - Integer.BYTES)
                        != Checksum.of(table, 0, table.limit() - Integer.BYTES)) {
            return null;
        }
        Contents contents = new Contents();
        contents.used = 2 * n;
        contents.nextRecord = footer.getLong(24);
        contents.entries = new long[Math.max(2, 2 * n)];
        table.position(0).asLongBuffer().get(contents.entries, 0, 2 * n);
        return contents;
    }

    /** Where the records of an intact segment end. */
    long end() {
        long[] end = {Segment.HEADER};
        forEach((_, _, offset, length) -> end[0] = Math.max(end[0], offset + length));
        return end[0];
    }
}
