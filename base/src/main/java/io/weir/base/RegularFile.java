package io.weir.base;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * Reads files that a configuration names: a device has no end, and a pipe may never have a writer, so neither is opened.
 * Stateless.
 */
public final class RegularFile {
    private RegularFile() {}

    /**
     * The bytes of a file; of one with more than {@code most} the first {@code most + 1}, however large it is or becomes.
     *
     * @throws IOException if it cannot be read, or is no regular file
     */
    public static byte[] read(Path file, int most) throws IOException {
        check(file);
        try (InputStream in = Files.newInputStream(file)) {
            return in.readNBytes(most + 1);
        }
    }

    /** @throws IOException if it is no regular file, or there is none */
    private static void check(Path file) throws IOException {
        BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
        if (!attributes.isRegularFile()) {
            throw new FileSystemException(file.toString(), null, "it is no regular file");
        }
    }
}
