package io.weir.proxy.cache.disk;

/**
 * Where a record lies, in one long, so that the index needs no object for it: slot of its segment (12 bits), offset and
 * length in units of {@link #UNIT} bytes (22 bits each), whether it is a marker, and how often it was used (2 bits).
 */
final class Location {
    /** Records are aligned to this many bytes. */
    static final int UNIT = 64;

    /** Most segments of a partition. */
    static final int MOST_SEGMENTS = 1 << 12;

    /** Largest segment in bytes. */
    static final long LARGEST_SEGMENT = (1L << 22) * UNIT;

    /** No record. */
    static final long NONE = 0;

    private static final int FIELD_BITS = 22;
    private static final long FIELD = (1L << FIELD_BITS) - 1;
    private static final int OFFSET_SHIFT = FIELD_BITS;
    private static final int SLOT_SHIFT = 2 * FIELD_BITS;
    private static final long MARKER = 1L << 56;
    private static final int USES_SHIFT = 57;
    private static final long USES = 3L << USES_SHIFT;
    private static final long PRESENT = 1L << 62;

    private Location() {}

    /**
     * A location that was not used yet.
     *
     * @param offset in the segment's file, in bytes
     * @param length of the record with its padding, in bytes
     * @param marker whether the record names the fields that select variants
     */
    static long of(int slot, long offset, long length, boolean marker) {
        assert offset % UNIT == 0 && length % UNIT == 0 && length > 0;
        long at = offset / UNIT;
        long units = length / UNIT;
        long flags = marker ? PRESENT | MARKER : PRESENT;
        return flags | ((long) slot << SLOT_SHIFT) | (at << OFFSET_SHIFT) | (units & FIELD);
    }

    static int slot(long location) {
        return (int) (location >>> SLOT_SHIFT) & (MOST_SEGMENTS - 1);
    }

    static long offset(long location) {
        return ((location >>> OFFSET_SHIFT) & FIELD) * UNIT;
    }

    static long length(long location) {
        return (location & FIELD) * UNIT;
    }

    static boolean marker(long location) {
        return (location & MARKER) != 0;
    }

    /** How often it was used since it was written, at most three. */
    static int uses(long location) {
        return (int) ((location & USES) >>> USES_SHIFT);
    }

    static long used(long location) {
        return (location & USES) == USES ? location : location + (1L << USES_SHIFT);
    }

    static long unused(long location) {
        return location & ~USES;
    }

    /** Whether both are the same record, used as often or not. */
    static boolean same(long one, long other) {
        return (one & ~USES) == (other & ~USES);
    }

    /** The bytes that a record takes which has this many of its own. */
    static long aligned(long bytes) {
        return (bytes + UNIT - 1) / UNIT * UNIT;
    }
}
