package io.weir.proxy.cache.disk.files;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** CRC-32C (RFC 9260 appendix A), which processors compute themselves. Stateless. */
public final class Checksum {
    private Checksum() {}

    /** Of bytes {@code [from, to)}; the buffer's position does not change. */
    public static int of(ByteBuffer bytes, int from, int to) {
        CRC32C crc = new CRC32C();
        crc.update(bytes.slice(from, to - from));
        return (int) crc.getValue();
    }
}
