package io.weir.proxy.cache.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A partition's secret: the seeds of the hash that its records have. Without it they cannot be found again, so it is
 * written before the first of them.
 *
 * @param k0 first half of the seed
 * @param k1 second half
 */
record Identity(long k0, long k1) {
    private static final String NAME = "identity";
    private static final int MAGIC = 0x57494944;
    private static final int VERSION = 1;
    private static final int BYTES = 32;
    private static final int CRC_AT = BYTES - Integer.BYTES;

    /** Reads it, or makes a new one. */
    static Identity of(Folder folder, RandomGenerator random) throws IOException {
        Identity known = read(folder);
        return known != null ? known : new Identity(random.nextLong(), random.nextLong());
    }

    /** Makes it that of the folder: removes what belonged to another. */
    void adopt(Folder folder) throws IOException {
        if (equals(read(folder))) {
            return;
        }
        for (String name : folder.names()) {
            if (Segment.isName(name)) {
                folder.delete(name);
            }
        }
        write(folder);
    }

    /** Writes it: from now on, what the folder has is found by the next start. */
    void write(Folder folder) throws IOException {
        String draft = NAME + ".new";
        folder.delete(draft);
        SegmentFile file = folder.create(draft);
        try {
            file.write(bytes(), 0);
            file.force();
        } finally {
            file.close();
        }
        folder.rename(draft, NAME);
    }

    /** Removes it: the next start begins anew. */
    void remove(Folder folder) throws IOException {
        folder.delete(NAME);
    }

    private static @Nullable Identity read(Folder folder) throws IOException {
        if (!folder.names().contains(NAME)) {
            return null;
        }
        ByteBuffer bytes = ByteBuffer.allocate(BYTES).order(ByteOrder.LITTLE_ENDIAN);
        SegmentFile file = folder.open(NAME);
        try {
            boolean intact = file.read(bytes, 0) == BYTES
                    && bytes.getInt(0) == MAGIC
                    && bytes.getInt(4) == VERSION
                    && bytes.getInt(CRC_AT) == Checksum.of(bytes, 0, CRC_AT);
            return intact ? new Identity(bytes.getLong(8), bytes.getLong(16)) : null;
        } finally {
            file.close();
        }
    }

    private ByteBuffer bytes() {
        ByteBuffer bytes = ByteBuffer.allocate(BYTES).order(ByteOrder.LITTLE_ENDIAN);
        bytes.putInt(MAGIC).putInt(VERSION).putLong(k0).putLong(k1);
        bytes.putInt(CRC_AT, Checksum.of(bytes, 0, CRC_AT));
        return bytes.position(0);
    }
}
