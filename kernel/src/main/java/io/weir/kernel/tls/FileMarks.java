package io.weir.kernel.tls;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * A snapshot of files' attributes, links followed: two snapshots differ if a file was written, replaced, created or
 * removed. Immutable.
 */
record FileMarks(Map<String, Mark> marks) {
    /** One file's attributes; all zero if it does not exist. */
    record Mark(long size, long modified, int key) {}

    private static final Mark NONE = new Mark(0, 0, 0);

    static FileMarks of(Collection<String> files) {
        Map<String, Mark> marks = new HashMap<>();
        for (String file : files) {
            marks.put(file, mark(file));
        }
        return new FileMarks(Map.copyOf(marks));
    }

    private static Mark mark(String file) {
        try {
            BasicFileAttributes a = Files.readAttributes(Path.of(file), BasicFileAttributes.class);
            return new Mark(a.size(), a.lastModifiedTime().toMillis(), Objects.hashCode(a.fileKey()));
        } catch (IOException e) {
            return NONE; // a missing file is a regular state
        }
    }

    /** Whether one of these files differs between the two snapshots. */
    boolean differ(FileMarks other, Collection<String> files) {
        return files.stream().anyMatch(f -> !Objects.equals(marks.get(f), other.marks.get(f)));
    }
}
