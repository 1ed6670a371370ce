package io.weir.kernel.tls;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/** How files looked, links followed: two of these differ when a file was written, replaced, made or removed. Immutable. */
record FileMarks(Map<String, Mark> marks) {
    /** One file; all zero where there is none. */
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
            return NONE; // it is not there now, which is a state like any other
        }
    }

    /** Whether one of these files looks different there. */
    boolean differ(FileMarks other, Collection<String> files) {
        return files.stream().anyMatch(f -> !Objects.equals(marks.get(f), other.marks.get(f)));
    }
}
