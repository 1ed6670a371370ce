package io.weir.proxy.cache.disk;

import io.weir.proxy.cache.disk.files.Folder;
import io.weir.proxy.cache.disk.files.SegmentFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Which records of a partition are of keys that went to another one, when partitions were added or removed: they have
 * missed the purges since then, so they are not used even if the keys come back. For each slot of {@link Routing}, the
 * number of the first segment whose records count. Confined to the writer.
 */
final class MovedKeys {
    private static final String NAME = "moved";
    private static final int MAGIC = 0x574d4f56;
    private static final int VERSION = 1;
    private static final int HEADER = 16;
    private static final int BYTES = HEADER + Routing.SLOTS * Long.BYTES + Integer.BYTES;

    private final long[] first = new long[Routing.SLOTS];
    private long latest;

    /** None if there is no file; null if it is damaged. */
    static @Nullable MovedKeys read(Folder folder) throws IOException {
        MovedKeys moved = new MovedKeys();
        if (!folder.names().contains(NAME)) {
            return moved;
        }
        ByteBuffer bytes = ByteBuffer.allocate(BYTES).order(ByteOrder.LITTLE_ENDIAN);
        SegmentFile file = folder.open(NAME);
        try {
            int end = BYTES - Integer.BYTES;
            boolean intact = file.read(bytes, 0) == BYTES
                    && bytes.getInt(0) == MAGIC
                    && bytes.getInt(4) == VERSION
                    && bytes.getInt(end) == Checksum.of(bytes, 0, end);
            if (!intact) {
                return null;
            }
        } finally {
            file.close();
        }
        bytes.position(HEADER).asLongBuffer().get(moved.first);
        moved.latest = Arrays.stream(moved.first).max().orElse(0);
        return moved;
    }

    /** Whether a record counts. */
    boolean counts(long hash, long segment) {
        return segment >= latest || segment >= first[Routing.slot(hash)];
    }

    /** The first segment in which all records count. */
    long latest() {
        return latest;
    }

    /** From a segment on, the partition has these slots only. */
    void move(Routing routing, int partition, long segment) {
        for (int slot = 0; slot < Routing.SLOTS; slot++) {
            if (!routing.has(partition, slot)) {
                first[slot] = segment;
                latest = segment;
            }
        }
    }

    void write(Folder folder) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(BYTES).order(ByteOrder.LITTLE_ENDIAN);
        bytes.putInt(MAGIC).putInt(VERSION).position(HEADER).asLongBuffer().put(first);
        bytes.putInt(BYTES - Integer.BYTES, Checksum.of(bytes, 0, BYTES - Integer.BYTES));
        folder.replace(NAME, bytes.position(0));
    }

    static void remove(Folder folder) throws IOException {
        folder.delete(NAME);
    }
}
