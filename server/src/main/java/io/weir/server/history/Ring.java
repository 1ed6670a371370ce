package io.weir.server.history;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The files of one interval, {@code NAME-START.stat} by the milliseconds of their start: rows are appended to the
 * newest, the oldest are deleted. Appended to by one thread; {@link #files} may be called by any.
 */
final class Ring implements AutoCloseable {
    /** A ring is split into this many files by time, and into at least {@link #LEAST_FILES} by size. */
    static final int FILES = 24;

    private static final int LEAST_FILES = 4;

    /** A file and the scheduled time of its first row. */
    record Part(Path file, long start) {}

    /** How much a ring keeps. */
    record Bounds(long keepMillis, long maxBytes) {}

    private final Path folder;
    private final String name;
    private final Pattern pattern;
    private final Runnable dropped;
    private final Runnable damaged;
    private final UnaryOperator<FileChannel> disk;
    private @Nullable RowFile newest;
    private boolean looked;
    private volatile long size;

    /**
     * @param dropped called for each file that is deleted early
     * @param damaged called for each file that cannot be continued
     */
    Ring(Path folder, String name, Runnable dropped, Runnable damaged) {
        this(folder, name, dropped, damaged, UnaryOperator.identity());
    }

    /** @param disk wraps the files that are written */
    Ring(Path folder, String name, Runnable dropped, Runnable damaged, UnaryOperator<FileChannel> disk) {
        this.disk = disk;
        this.folder = folder;
        this.name = name;
        this.pattern = pattern(name);
        this.dropped = dropped;
        this.damaged = damaged;
    }

    private static Pattern pattern(String name) {
        return Pattern.compile(Pattern.quote(name) + "-(\\d{1,18})\\.stat");
    }

    /** The files of a ring, oldest first; none if there is no such folder. */
    static List<Part> files(Path folder, String name) throws IOException {
        return files(folder, pattern(name));
    }

    private static List<Part> files(Path folder, Pattern pattern) throws IOException {
        List<Part> parts = new ArrayList<>();
        try (Stream<Path> all = Files.list(folder)) {
            all.forEach(file -> {
                Matcher m = pattern.matcher(file.getFileName().toString());
                if (m.matches()) {
                    parts.add(new Part(file, Long.parseLong(m.group(1))));
                }
            });
        } catch (NoSuchFileException e) {
            // nothing has been written yet
            return List.of();
        }
        parts.sort(Comparator.comparingLong(Part::start));
        return parts;
    }

    /** Appends a row; a failure closes the file, and the next row continues after its last complete record. */
    void append(long millis, long covers, Map<SeriesKey, Long> row, Bounds bounds) throws IOException {
        try {
            RowFile file = fileFor(millis, bounds);
            file.append(millis, covers, row, bounds.maxBytes());
            size = drop(millis, bounds, file.start());
        } catch (IOException e) {
            close();
            throw e;
        }
    }

    /** Bytes on disk after the latest row. */
    long size() {
        return size;
    }

    private RowFile fileFor(long millis, Bounds bounds) throws IOException {
        RowFile file = newest == null ? last() : newest;
        boolean continues = file != null
                && millis > file.lastMillis()
                && millis - file.start() < Math.max(1, bounds.keepMillis() / FILES)
                && file.size() < bounds.maxBytes() / LEAST_FILES;
        if (file == null || !continues) {
            close();
            file = create(millis);
        }
        newest = file;
        return file;
    }

    private RowFile create(long millis) throws IOException {
        long start = millis;
        Path file = folder.resolve(name + "-" + start + ".stat");
        while (Files.exists(file)) {
            // the clock was set back to a time that has a file already
            start++;
            file = folder.resolve(name + "-" + start + ".stat");
        }
        return RowFile.create(file, start, disk);
    }

    /** The newest file of an earlier process, or of this one before a failure. */
    private @Nullable RowFile last() throws IOException {
        List<Part> parts = files(folder, pattern);
        if (parts.isEmpty()) {
            return null;
        }
        Part part = parts.getLast();
        long found = Files.size(part.file());
        try {
            RowFile file = RowFile.reopen(part.file(), part.start(), disk);
            if (file.size() < found && !looked) {
                damaged.run();
            }
            looked = true;
            return file;
        } catch (IOException e) {
            damaged.run();
            return null;
        }
    }

    /**
     * Deletes expired files, and the oldest while there is too much; returns the remaining size. The file being written
     * stays, which is not the last one if the clock was set back.
     */
    private long drop(long millis, Bounds bounds, long written) throws IOException {
        List<Part> parts = files(folder, pattern);
        long total = 0;
        for (Part part : parts) {
            total += size(part);
        }
        for (int i = 0; i < parts.size(); i++) {
            boolean old = i + 1 < parts.size() && parts.get(i + 1).start() <= millis - bounds.keepMillis();
            if (!old && total <= bounds.maxBytes()) {
                break;
            }
            if (parts.get(i).start() == written) {
                continue;
            }
            total -= size(parts.get(i));
            Files.deleteIfExists(parts.get(i).file());
            if (!old) {
                dropped.run();
            }
        }
        return total;
    }

    private static long size(Part part) throws IOException {
        try {
            return Files.size(part.file());
        } catch (NoSuchFileException e) {
            // it was deleted from outside
            return 0;
        }
    }

    @Override
    public void close() throws IOException {
        RowFile file = newest;
        newest = null;
        if (file != null) {
            file.close();
        }
    }
}
