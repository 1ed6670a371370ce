package io.weir.proxy.cache.disk;

import io.weir.proxy.cache.disk.files.Checksum;
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
    private long end = Segment.HEADER;

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
        end = offset + length;
    }

    /** The number of the first record after this segment's. */
    long nextRecord() {
        return nextRecord;
    }

    void nextRecord(long number) {
        nextRecord = number;
    }

    /** Where the records end. */
    long end() {
        return end;
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

    /**
     * What a file's end says of its table.
     *
     * @param at where it begins, which is where the records end
     */
    private record Footer(long at, long bytes, int records, long nextRecord) {}

    private static @Nullable Footer footer(SegmentFile file, long sequence) throws IOException {
        long size = file.size();
        ByteBuffer footer = ByteBuffer.allocate(FOOTER).order(ByteOrder.LITTLE_ENDIAN);
        if (size < Segment.HEADER + FOOTER || file.read(footer, size - FOOTER) < FOOTER) {
            return null;
        }
        int n = footer.getInt(4);
        long at = footer.getLong(8);
        long bytes = size - at;
        boolean fits = footer.getInt(0) == MAGIC
                && footer.getLong(16) == sequence
                && n >= 0
                && at >= Segment.HEADER
                && bytes == 2L * Long.BYTES * n + FOOTER;
        return fits ? new Footer(at, bytes, n, footer.getLong(24)) : null;
    }

    /** How many records a file's table claims to have, without reading it; 0 if there is none. */
    static int records(SegmentFile file, long sequence) throws IOException {
        Footer footer = footer(file, sequence);
        return footer == null ? 0 : footer.records();
    }

    /** The table of a file; null if it has none that is intact. */
    static @Nullable Contents read(SegmentFile file, long sequence) throws IOException {
        Footer footer = footer(file, sequence);
        if (footer == null) {
            return null;
        }
        int n = footer.records();
        ByteBuffer table = ByteBuffer.allocate(Math.toIntExact(footer.bytes())).order(ByteOrder.LITTLE_ENDIAN);
        if (file.read(table, footer.at()) < footer.bytes()
                || table.getInt(table.limit() - Integer.BYTES)
                        != Checksum.of(table, 0, table.limit() - Integer.BYTES)) {
            return null;
        }
        Contents contents = new Contents();
        contents.used = 2 * n;
        contents.nextRecord = footer.nextRecord();
        contents.end = footer.at();
        contents.entries = new long[Math.max(2, 2 * n)];
        table.position(0).asLongBuffer().get(contents.entries, 0, 2 * n);
        return contents;
    }
}
