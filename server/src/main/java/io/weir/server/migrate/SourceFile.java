package io.weir.server.migrate;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Files that a configuration consists of. Stateless. */
final class SourceFile {
    /** The largest that is read. */
    static final int MAX = 8 << 20;

    private SourceFile() {}

    /** The text of a file that a configuration names, relative to its folder; null: it cannot be read, or is too large. */
    static @Nullable String beside(String configuration, String file, int max) {
        try {
            Path path = Path.of(configuration).resolveSibling(file);
            return Files.isRegularFile(path) && Files.size(path) <= max ? text(path) : null;
        } catch (IOException | java.nio.file.InvalidPathException e) {
            return null;
        }
    }

    /** The text of a file; bytes that are no UTF-8 are read as ISO 8859-1. */
    static String text(Path file) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        String utf = new String(bytes, StandardCharsets.UTF_8);
        String text = utf.indexOf('\ufffd') < 0 ? utf : new String(bytes, StandardCharsets.ISO_8859_1);
        return text.replace("\r\n", "\n");
    }
}
