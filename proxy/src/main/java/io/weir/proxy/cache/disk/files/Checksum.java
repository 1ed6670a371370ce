package io.weir.proxy.cache.disk.files;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** CRC-32C (RFC 9260 appendix A), which processors compute themselves. Stateless. */
public final class Checksum {
    private Checksum() {}

    /** Whether a small file's contents are of this kind and version, and the checksum in its last four bytes is right. */
    static boolean intact(ByteBuffer bytes, int kind, int version, int size) {
        int end = size - Integer.BYTES;
        return bytes.capacity() == size
                && bytes.getInt(0) == kind
                && bytes.getInt(Integer.BYTES) == version
                && bytes.getInt(end) == of(bytes, 0, end);
    }

    /** Of bytes {@code [from, to)}; the buffer's position does not change. */
    public static int of(ByteBuffer bytes, int from, int to) {
        CRC32C crc = new CRC32C();
        crc.update(bytes.slice(from, to - from));
        return (int) crc.getValue();
    }
}
