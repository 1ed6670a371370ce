package io.weir.journal.segment;

import io.weir.base.Fence;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * The record format: a header of 48 bytes and a payload, padded to 8. Both checksums are salted with the segment's
 * secret, the header's also with the record's location, so that neither an old segment's bytes, nor a misplaced write,
 * nor a message that looks like a record is accepted. Confined to one thread.
 */
public final class Records {
    public static final int HEADER = 48;
    public static final int MAGIC = 0x57_4A_52_31;
    static final byte VERSION = 1;

    public static final byte ENTRY = 1;
    public static final byte REMOVAL = 2;
    public static final byte GROUP = 3;
    public static final byte TABLE = 4;
    public static final byte PAD = 5;

    /** Part of a group: valid only after the group's valid head. */
    public static final int MEMBER = 1;
    /** Moved by compaction. */
    public static final int RELOCATED = 2;
    /** First of its batch: everything before it had been forced when it was written. */
    public static final int FIRST = 4;

    /** Bytes of one removal: the id, and the segment whose copy it kills. */
    public static final int REMOVAL_BYTES = 16;
    /** Bytes of one row of the segment table: number and end. */
    public static final int TABLE_BYTES = 16;

    static final int AT_VERSION = 4;
    public static final int AT_KIND = 5;
    static final int AT_FLAGS = 6;
    public static final int AT_LENGTH = 8;
    public static final int AT_TYPE = 12;
    public static final int AT_SEQUENCE = 16;
    static final int AT_EPOCH = 24;
    static final int AT_COUNTER = 32;
    static final int AT_PAYLOAD_CRC = 40;
    static final int AT_HEADER_CRC = 44;

    private final CRC32C crc = new CRC32C();

    /** Size of a record with this payload, in bytes. */
    public static long size(long payload) {
        return align(HEADER + payload, 8);
    }

    public static long align(long value, long to) {
        return (value + to - 1) / to * to;
    }

    /**
     * Writes the header before a payload that is already in the buffer, and zero padding after it; afterwards the
     * buffer's position is after the record.
     *
     * @param at index of the record in the buffer
     * @param place where the buffer's index 0 will be stored
     */
    public void seal(
            ByteBuffer b, int at, int length, byte kind, int flags, int type, long id, Fence fence, Place place) {
        int end = at + (int) size(length);
        for (int i = at + HEADER + length; i < end; i++) {
            b.put(i, (byte) 0);
        }
        b.putInt(at, MAGIC);
        b.put(at + AT_VERSION, VERSION);
        b.put(at + AT_KIND, kind);
        b.putShort(at + AT_FLAGS, (short) flags);
        b.putInt(at + AT_LENGTH, length);
        b.putInt(at + AT_TYPE, type);
        b.putLong(at + AT_SEQUENCE, id);
        b.putLong(at + AT_EPOCH, fence.epoch());
        b.putLong(at + AT_COUNTER, fence.counter());
        b.putInt(at + AT_PAYLOAD_CRC, kind == PAD ? 0 : payloadCrc(b, at, length, place.salt()));
        b.putInt(at + AT_HEADER_CRC, headerCrc(b, at, place.salt(), place.start() + at));
        b.position(end);
    }

    /** Writes only the header of a record whose payload has no checksum, at index 0. */
    public void header(ByteBuffer b, int length, byte kind, Place place) {
        b.putInt(0, MAGIC);
        b.put(AT_VERSION, VERSION);
        b.put(AT_KIND, kind);
        b.putInt(AT_LENGTH, length);
        b.putInt(AT_HEADER_CRC, headerCrc(b, 0, place.salt(), place.start()));
    }

    /** The location where the buffer's index 0 will be stored. */
    public record Place(long salt, long start) {}

    public boolean headerValid(ByteBuffer b, int at, long salt, long offset) {
        return b.getInt(at) == MAGIC
                && b.get(at + AT_VERSION) == VERSION
                && b.getInt(at + AT_LENGTH) >= 0
                && b.getInt(at + AT_HEADER_CRC) == headerCrc(b, at, salt, offset);
    }

    boolean payloadValid(ByteBuffer b, int at, int length, long salt) {
        return b.get(at + AT_KIND) == PAD || b.getInt(at + AT_PAYLOAD_CRC) == payloadCrc(b, at, length, salt);
    }

    private int headerCrc(ByteBuffer b, int at, long salt, long offset) {
        long place = offset * 0x9E3779B97F4A7C15L;
        return sum(b, at, AT_HEADER_CRC) ^ (int) salt ^ (int) (place >>> 32);
    }

    private int payloadCrc(ByteBuffer b, int at, int length, long salt) {
        return sum(b, at + HEADER, length) ^ (int) (salt >>> 32);
    }

    private int sum(ByteBuffer b, int from, int length) {
        crc.reset();
        crc.update(b.slice(from, length));
        return (int) crc.getValue();
    }
}
