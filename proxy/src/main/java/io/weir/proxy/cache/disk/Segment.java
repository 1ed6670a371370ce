package io.weir.proxy.cache.disk;

import io.weir.proxy.cache.disk.files.Checksum;
import io.weir.proxy.cache.disk.files.SegmentFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * One file of the log. Written once from its start to its end, then read only; removed as a whole. Its file stays open
 * for those that still read it when it is removed.
 */
final class Segment extends HeldFile {
    /** Bytes before the first record. */
    static final int HEADER = 64;

    private static final int CRC_AT = HEADER - Integer.BYTES;
    private static final int MAGIC = 0x57534547;
    private static final int VERSION = 1;
    private static final String PREFIX = "segment-";

    final int slot;
    /** Segments are ordered by it: a record of a later one replaces that of an earlier one. */
    final long sequence;

    private volatile long end;

    Segment(int slot, long sequence, SegmentFile file, long end) {
        super(file);
        this.slot = slot;
        this.sequence = sequence;
        this.end = end;
    }

    static String name(long sequence) {
        return PREFIX + Long.toHexString(sequence);
    }

    static boolean isName(String name) {
        return name.matches(PREFIX + "[0-9a-f]{1,16}");
    }

    /** The number in a name; 0 if there is none. */
    static long number(String name) {
        try {
            return Math.max(0, Long.parseLong(name.substring(PREFIX.length()), 16));
        } catch (NumberFormatException _) {
            return 0;
        }
    }

    String name() {
        return name(sequence);
    }

    /** Where the next record is written, or where the last one ends. */
    long end() {
        return end;
    }

    /** The writer's only. */
    void end(long position) {
        end = position;
    }

    static ByteBuffer header(long sequence) {
        ByteBuffer header = ByteBuffer.allocate(HEADER).order(ByteOrder.LITTLE_ENDIAN);
        header.putInt(MAGIC).putInt(VERSION).putLong(sequence);
        header.putInt(CRC_AT, Checksum.of(header, 0, CRC_AT));
        return header.position(0);
    }

    /** The sequence in a file's header, or -1 if it has none that is intact. */
    static long sequence(SegmentFile file) throws IOException {
        ByteBuffer header = ByteBuffer.allocate(HEADER).order(ByteOrder.LITTLE_ENDIAN);
        boolean intact = file.read(header, 0) == HEADER
                && header.getInt(0) == MAGIC
                && header.getInt(4) == VERSION
                && header.getInt(CRC_AT) == Checksum.of(header, 0, CRC_AT);
        return intact ? header.getLong(8) : -1;
    }

    @Override
    long bytes() {
        return end;
    }

    @Override
    void closed() {
        // the log has forgotten it
    }
}
