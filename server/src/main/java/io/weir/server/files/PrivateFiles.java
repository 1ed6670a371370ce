package io.weir.server.files;

import io.weir.base.OwnerOnly;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** Files of the data directory that only their owner may read, replaced atomically. Stateless. */
public final class PrivateFiles {
    private static final Set<PosixFilePermission> OWNER = PosixFilePermissions.fromString("rw-------");

    private PrivateFiles() {}

    /** Writes a temporary file, forces it to the disk and renames it: readers see the old or the new content. */
    public static void write(Path file, String text) throws IOException {
        write(file, text.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * The same with bytes.
     *
     * @throws NotWritten with the file and the reason
     */
    public static void write(Path file, byte[] content) throws NotWritten {
        try {
            put(file, content);
        } catch (IOException e) {
            throw new NotWritten(file, e);
        }
    }

    private static void put(Path file, byte[] content) throws IOException {
        Path folder = file.toAbsolutePath().getParent();
        if (folder != null) {
            folder(folder);
        }
        Path fresh = file.resolveSibling(file.getFileName() + ".new");
        Files.deleteIfExists(fresh);
        try {
            force(fresh, content);
            Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            tidy(fresh, e);
            throw e;
        }
    }

    private static void force(Path fresh, byte[] content) throws IOException {
        try (FileChannel channel = OwnerOnly.open(fresh, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            ByteBuffer bytes = ByteBuffer.wrap(content);
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        }
    }

    /** Deletes a file that could not be written whole: it is useless, and a full disk needs the room. */
    private static void tidy(Path fresh, IOException why) {
        try {
            Files.deleteIfExists(fresh);
        } catch (IOException e) {
            why.addSuppressed(e);
        }
    }

    /** Creates a folder for its owner only, with those above it; an existing one keeps its permissions. */
    public static void folder(Path folder) throws IOException {
        OwnerOnly.folder(folder);
    }

    /** Whether only the owner may read or write the file. */
    public static boolean isPrivate(Path file) throws IOException {
        return OWNER.containsAll(Files.getPosixFilePermissions(file, LinkOption.NOFOLLOW_LINKS));
    }
}
