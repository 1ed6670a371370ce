package io.weir.proxy.cache.disk.files;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * How far a folder has followed the purges of a cluster: what was purged after that while its server was away may still
 * be in it. Immutable.
 *
 * @param log which cluster's; 0: none
 * @param number of the latest purge that is on the disk
 */
public record PurgeMark(long log, long number) {
    /** It has followed none. */
    public static final PurgeMark NONE = new PurgeMark(0, 0);

    private static final String NAME = "purges";
    private static final int MAGIC = 0x57505247;
    private static final int VERSION = 1;
    private static final int BYTES = 32;
    private static final int CRC_AT = BYTES - Integer.BYTES;

    /** What two folders have followed both; of two clusters that is none that can be known again. */
    public static PurgeMark least(PurgeMark one, PurgeMark other) {
        if (one.log == other.log) {
            return one.number < other.number ? one : other;
        }
        return one.log == 0 || other.log == 0 ? NONE : new PurgeMark(-1, 0);
    }

    /** Reads it; none if there is none, or it is damaged: then all known purges are applied again. */
    public static PurgeMark read(Folder folder) throws IOException {
        ByteBuffer bytes = folder.intact(NAME, MAGIC, VERSION, BYTES);
        return bytes == null ? NONE : new PurgeMark(bytes.getLong(8), bytes.getLong(16));
    }

    /** Writes it in place of the one before. */
    public void write(Folder folder) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(BYTES).order(ByteOrder.LITTLE_ENDIAN);
        bytes.putInt(MAGIC).putInt(VERSION).putLong(log).putLong(number);
        bytes.putInt(CRC_AT, Checksum.of(bytes, 0, CRC_AT));
        folder.replace(NAME, bytes.position(0));
    }
}
