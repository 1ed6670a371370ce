package io.weir.proxy.cache.disk;

import io.weir.proxy.cache.store.KeyBuilder;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The fixed part at a record's start. After it: key, key of the variant, metadata, head of the answer, a checksum for
 * each block of the body, the body, and as the last eight bytes the sequence again, so that a record whose end was not
 * written is recognised without reading its body. Numbers are little-endian.
 *
 * @param hash of the key, seeded: what the index has
 * @param sequence of the record in its log
 * @param since of a marker: variants with lower sequences are not its own
 * @param bodyLength in bytes
 * @param crc of this part and all that follows before the body
 */
record RecordHead(
        Kind kind,
        long hash,
        long sequence,
        long since,
        int keyLength,
        int variantLength,
        int metaLength,
        int headLength,
        long bodyLength,
        int crc) {

    /** What a record says. */
    enum Kind {
        /** A stored answer. */
        OBJECT,
        /** The fields that select the variants of a key. */
        MARKER,
        /** The key was purged, invalidated or may not be stored. */
        GONE,
        /** All earlier records are purged. */
        CLEAR,
        /** The answers of a connection may have been for other requests; the hash is the connection's number. */
        DOUBT,
        /** A stored answer whose body has a file of its own; its number is the last of the metadata. */
        LARGE;

        // the format: new ones are added at the end
        private static final List<Kind> CODES = List.of(OBJECT, MARKER, GONE, CLEAR, DOUBT, LARGE);

        /** Whether it is an answer. */
        boolean answer() {
            return this == OBJECT || this == LARGE;
        }

        int code() {
            return CODES.indexOf(this);
        }

        /** The kind of a code; null if there is none. */
        static @Nullable Kind of(int code) {
            return code >= 0 && code < CODES.size() ? CODES.get(code) : null;
        }
    }

    static final int BYTES = 64;
    /** Each block of a body has its own checksum. */
    static final int BLOCK = 64 << 10;

    static final int TRAILER = 8;
    /** Longest of the parts between this one and the body. */
    private static final int MOST = 1 << 20;
    /** Bytes of a body with a file of its own: its checksums must have room in a record. */
    static final long LARGEST_BODY = 1L << 40;

    private static final int MAGIC = 0x57524543;
    private static final int VERSION = 1;
    private static final int CRC_AT = 56;

    static int blocks(long bodyLength) {
        return Math.toIntExact((bodyLength + BLOCK - 1) / BLOCK);
    }

    /** Position of the checksums in the record. */
    int sumsAt() {
        return BYTES + keyLength + variantLength + metaLength + headLength;
    }

    /** Position of the body in the record. */
    int bodyAt() {
        return sumsAt() + Integer.BYTES * blocks(bodyLength);
    }

    /** Bytes of the body that are in the record. */
    long bodyWithin() {
        return kind == Kind.LARGE ? 0 : bodyLength;
    }

    /** Bytes of the whole record, padded. */
    long length() {
        return Location.aligned(bodyAt() + bodyWithin() + TRAILER);
    }

    /** Writes this part at the buffer's start; the rest before the body must be there already. */
    void write(ByteBuffer record) {
        record.order(ByteOrder.LITTLE_ENDIAN);
        record.putInt(0, MAGIC).put(4, (byte) VERSION).put(5, (byte) kind.code());
        record.putShort(6, (short) 0);
        record.putLong(8, hash).putLong(16, sequence).putLong(24, since);
        record.putInt(32, keyLength).putInt(36, variantLength).putInt(40, metaLength);
        record.putInt(44, headLength).putLong(48, bodyLength);
        record.putInt(CRC_AT, crc(record, bodyAt())).putInt(CRC_AT + 4, 0);
    }

    /** Reads this part from a position of a buffer; null if none that makes sense is there. */
    static @Nullable RecordHead read(ByteBuffer from, int at) {
        from.order(ByteOrder.LITTLE_ENDIAN);
        if (from.limit() - at < BYTES || from.getInt(at) != MAGIC || from.get(at + 4) != VERSION) {
            return null;
        }
        Kind kind = Kind.of(from.get(at + 5));
        if (kind == null) {
            return null;
        }
        RecordHead head = new RecordHead(
                kind,
                from.getLong(at + 8),
                from.getLong(at + 16),
                from.getLong(at + 24),
                from.getInt(at + 32),
                from.getInt(at + 36),
                from.getInt(at + 40),
                from.getInt(at + 44),
                from.getLong(at + 48),
                from.getInt(at + CRC_AT));
        return head.sensible() ? head : null;
    }

    private boolean sensible() {
        return within(keyLength, KeyBuilder.MAX_BYTES)
                && within(variantLength, MOST)
                && within(metaLength, MOST)
                && within(headLength, MOST)
                && bodyLength >= 0
                && bodyLength < (kind == Kind.LARGE ? LARGEST_BODY : Location.LARGEST_SEGMENT);
    }

    private static boolean within(int length, int most) {
        return length >= 0 && length <= most;
    }

    /** Whether all before the body is as it was written. */
    boolean intact(ByteBuffer record) {
        return crc(record, bodyAt()) == crc;
    }

    private static int crc(ByteBuffer record, int end) {
        CRC32C sum = new CRC32C();
        sum.update(record.duplicate().position(0).limit(CRC_AT));
        sum.update(record.duplicate().limit(end).position(BYTES));
        return (int) sum.getValue();
    }
}
