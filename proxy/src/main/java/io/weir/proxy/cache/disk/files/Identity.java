package io.weir.proxy.cache.disk.files;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * A partition's secret, which all partitions of a tier share: the seeds of the hash that its records have. Without it
 * they cannot be found again, so it is written before the first of them.
 *
 * @param k0 first half of the seed
 * @param k1 second half
 * @param run number of the start that used the partition last; a partition that missed one has missed purges
 * @param layout tells which keys it had then
 */
public record Identity(long k0, long k1, long run, long layout) {
    private static final String NAME = "identity";
    private static final int MAGIC = 0x57494944;
    private static final int VERSION = 2;
    private static final int BYTES = 64;
    private static final int NAME_BYTES = 16;
    private static final int CRC_AT = BYTES - Integer.BYTES;

    /** Whether both know the same keys by the same hashes. */
    public boolean sameSeeds(Identity other) {
        return k0 == other.k0 && k1 == other.k1;
    }

    /** Names the tier, without telling its seeds. */
    public String tier() {
        ByteBuffer seeds = ByteBuffer.allocate(2 * Long.BYTES).putLong(k0).putLong(k1);
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(seeds.array());
            return HexFormat.of().formatHex(digest, 0, NAME_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has it", e);
        }
    }

    /** Writes it: from now on, what the folder has is found by the next start. */
    public void write(Folder folder) throws IOException {
        folder.replace(NAME, bytes());
    }

    /** Removes it: the next start begins anew. */
    public static void remove(Folder folder) throws IOException {
        folder.delete(NAME);
    }

    /** Whether a folder has one, of whatever version. */
    static boolean has(Path folder) throws IOException {
        return Strangers.kind(folder.resolve(NAME)) == MAGIC;
    }

    /** That of a folder; null if it has none that is intact. */
    public static @Nullable Identity read(Folder folder) throws IOException {
        ByteBuffer bytes = folder.intact(NAME, MAGIC, VERSION, BYTES);
        return bytes == null ? null : of(bytes);
    }

    /** The name of the tier that a folder belongs to, read without a claim to it; null if none is known. */
    public static @Nullable String tierOf(Path folder) throws IOException {
        Path file = folder.resolve(NAME);
        if (!Files.isRegularFile(file)) {
            return null;
        }
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
        return Checksum.intact(bytes, MAGIC, VERSION, BYTES) ? of(bytes).tier() : null;
    }

    private static Identity of(ByteBuffer bytes) {
        return new Identity(bytes.getLong(8), bytes.getLong(16), bytes.getLong(24), bytes.getLong(32));
    }

    private ByteBuffer bytes() {
        ByteBuffer bytes = ByteBuffer.allocate(BYTES).order(ByteOrder.LITTLE_ENDIAN);
        bytes.putInt(MAGIC).putInt(VERSION).putLong(k0).putLong(k1).putLong(run).putLong(layout);
        bytes.putInt(CRC_AT, Checksum.of(bytes, 0, CRC_AT));
        return bytes.position(0);
    }
}
