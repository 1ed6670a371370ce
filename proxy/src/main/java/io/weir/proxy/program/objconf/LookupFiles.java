package io.weir.proxy.program.objconf;

import io.weir.base.RegularFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The files of the function {@code lookup}: lines of a name and a value. Each is kept until it changes. Shared by all
 * loops; one for each program.
 */
final class LookupFiles {
    /** Files that are kept, at most; then all are dropped. */
    private static final int MAX_FILES = 64;

    /** Larger files are not read. */
    private static final int MAX_BYTES = 1 << 20;

    private final Map<Path, Content> files = new ConcurrentHashMap<>();

    private record Content(FileTime modified, long size, Map<String, String> values) {}

    /** The value of a name; null if it has none, or the file cannot be read, is too large or no regular file. */
    @Nullable
    String value(String file, String name) {
        try {
            Path path = Path.of(file);
            FileTime modified = Files.getLastModifiedTime(path);
            long size = Files.size(path);
            Content known = files.get(path);
            if (known == null || !known.modified().equals(modified) || known.size() != size) {
                known = read(path, modified, size);
                if (files.size() >= MAX_FILES) {
                    files.clear();
                }
                files.put(path, known);
            }
            return known.values().get(name);
        } catch (IOException | InvalidPathException e) {
            return null;
        }
    }

    private static Content read(Path path, FileTime modified, long size) throws IOException {
        Map<String, String> values = new HashMap<>();
        byte[] bytes = RegularFile.read(path, MAX_BYTES);
        if (bytes.length <= MAX_BYTES) {
            new String(bytes, StandardCharsets.ISO_8859_1).lines().forEach(line -> {
                String[] words = line.strip().split("\\s+", 2);
                if (words.length == 2 && !words[0].startsWith("#")) {
                    values.putIfAbsent(words[0], words[1]);
                }
            });
        }
        return new Content(modified, size, values);
    }
}
