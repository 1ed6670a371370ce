package io.weir.server.migrate.draft;

import io.weir.base.RegularFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Files that a configuration consists of. Stateless. */
public final class SourceFile {
    /** The largest that is read. */
    public static final int MAX = 8 << 20;

    /** Files that one name with wildcards means, at most. */
    public static final int MAX_FILES = 1000;

    /** Files that are read within each other, at most. */
    public static final int MAX_NESTED = 32;

    private SourceFile() {}

    /** The text of a file that a configuration names, relative to its folder; null: it cannot be read, or is too large. */
    public static @Nullable String beside(String configuration, String file, int max) {
        try {
            Path path = Path.of(configuration).resolveSibling(file);
            return Files.isRegularFile(path) && Files.size(path) <= max ? text(path) : null;
        } catch (IOException | java.nio.file.InvalidPathException e) {
            return null;
        }
    }

    /** The text of a file; bytes that are no UTF-8 are read as ISO 8859-1. */
    public static String text(Path file) throws IOException {
        byte[] bytes = RegularFile.read(file, MAX);
        if (bytes.length > MAX) {
            throw new IOException("the file is larger than " + MAX / 1024 + " KiB");
        }
        String utf = new String(bytes, StandardCharsets.UTF_8);
        String text = utf.indexOf('\ufffd') < 0 ? utf : new String(bytes, StandardCharsets.ISO_8859_1);
        return (text.startsWith("\uFEFF") ? text.substring(1) : text).replace("\r\n", "\n");
    }

    /** The files of a name that may have wildcards. */
    public static List<Path> included(Path pattern) throws IOException {
        String name = String.valueOf(pattern.getFileName());
        Path parent = pattern.getParent();
        if (Files.isRegularFile(pattern)) {
            return List.of(pattern);
        }
        List<Path> found = new ArrayList<>();
        if (parent != null && Files.isDirectory(parent)) {
            try (DirectoryStream<Path> files = Files.newDirectoryStream(parent, name)) {
                files.forEach(f -> {
                    if (Files.isRegularFile(f) && found.size() <= MAX_FILES) {
                        found.add(f);
                    }
                });
            } catch (java.util.regex.PatternSyntaxException e) {
                throw new IOException(e.getMessage(), e);
            }
        }
        return found.stream().sorted().toList();
    }
}
