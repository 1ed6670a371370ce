package io.weir.proxy.cache.disk.files;

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
public final class MovedKeys {
    private static final String NAME = "moved";
    private static final int MAGIC = 0x574d4f56;
    private static final int VERSION = 1;
    private static final int HEADER = 16;
    private static final int BYTES = HEADER + Routing.SLOTS * Long.BYTES + Integer.BYTES;

    private final long[] first = new long[Routing.SLOTS];
    private long latest;

    /** None if there is no file; null if it is damaged. */
    public static @Nullable MovedKeys read(Folder folder) throws IOException {
        MovedKeys moved = new MovedKeys();
        if (!folder.names().contains(NAME)) {
            return moved;
        }
        ByteBuffer bytes = folder.intact(NAME, MAGIC, VERSION, BYTES);
        if (bytes == null) {
            return null;
        }
        bytes.position(HEADER).asLongBuffer().get(moved.first);
        moved.latest = Arrays.stream(moved.first).max().orElse(0);
        return moved;
    }

    /** Whether a record counts. */
    public boolean counts(long hash, long segment) {
        return segment >= latest || segment >= first[Routing.slot(hash)];
    }

    /** The first segment in which all records count. */
    public long latest() {
        return latest;
    }

    /** From a segment on, the partition has these slots only. */
    public void move(Routing routing, int partition, long segment) {
        for (int slot = 0; slot < Routing.SLOTS; slot++) {
            if (!routing.has(partition, slot)) {
                first[slot] = segment;
                latest = segment;
            }
        }
    }

    /** Writes it in place of the one before. */
    public void write(Folder folder) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(BYTES).order(ByteOrder.LITTLE_ENDIAN);
        bytes.putInt(MAGIC).putInt(VERSION).position(HEADER).asLongBuffer().put(first);
        bytes.putInt(BYTES - Integer.BYTES, Checksum.of(bytes, 0, BYTES - Integer.BYTES));
        folder.replace(NAME, bytes.position(0));
    }

    /** Removes it: all records count. */
    public static void remove(Folder folder) throws IOException {
        folder.delete(NAME);
    }
}
