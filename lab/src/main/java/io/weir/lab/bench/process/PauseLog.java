package io.weir.lab.bench.process;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A JVM's log of its collections and pauses ({@code -Xlog:gc,safepoint} without decorations), read piece by piece while
 * it grows. Confined to its run's thread.
 */
public final class PauseLog {
    private static final Pattern COLLECTION =
            Pattern.compile("GC\\(\\d+\\) (?:Pause|Minor Collection|Major Collection)\\b.*->.*");
    private static final Pattern SAFEPOINT =
            Pattern.compile("Safepoint \"([^\"]+)\".*Reaching safepoint: +(\\d+) ns,.*Total: +(\\d+) ns.*");
    private static final Pattern STALL = Pattern.compile(".*(?:Allocation|Relocation) Stall .*?([0-9.]+)ms");
    /** Operations of the collectors: those of Serial, Parallel and G1 collect, those of Z have its letter. */
    private static final Pattern COLLECTORS = Pattern.compile(".*Collect.*|G1.*|Z[A-Z].*");

    private final Path file;
    private long read;

    /** @param file which may not exist yet */
    public PauseLog(Path file) {
        this.file = file;
    }

    /**
     * What a log tells of a time.
     *
     * @param collections of any part of the heap
     * @param pauses of all threads, for the collector
     * @param longest of them, from when the threads were asked to stop, milliseconds
     * @param total of them, milliseconds
     * @param others the longest pause for anything else, milliseconds
     * @param stalls times a thread waited for memory
     * @param longestStall milliseconds
     */
    public record Pauses(
            int collections, int pauses, double longest, double total, double others, int stalls, double longestStall) {
        /** Of both times. */
        public Pauses and(Pauses other) {
            return new Pauses(
                    collections + other.collections,
                    pauses + other.pauses,
                    Math.max(longest, other.longest),
                    total + other.total,
                    Math.max(others, other.others),
                    stalls + other.stalls,
                    Math.max(longestStall, other.longestStall));
        }
    }

    /** Nothing yet. */
    public static final Pauses NONE = new Pauses(0, 0, 0, 0, 0, 0, 0);

    /** What was logged since the last call. */
    public Pauses since() throws IOException {
        try (RandomAccessFile log = new RandomAccessFile(file.toFile(), "r")) {
            byte[] more = new byte[Math.toIntExact(log.length() - read)];
            log.seek(read);
            log.readFully(more);
            int end = more.length;
            // a line that is being written is for the next call
            while (end > 0 && more[end - 1] != '\n') {
                end--;
            }
            read += end;
            return parse(new String(more, 0, end, StandardCharsets.UTF_8));
        }
    }

    /** Reads lines of such a log. */
    public static Pauses parse(String lines) {
        return lines.lines().map(PauseLog::line).reduce(NONE, Pauses::and);
    }

    private static Pauses line(String line) {
        if (COLLECTION.matcher(line).matches()) {
            return new Pauses(1, 0, 0, 0, 0, 0, 0);
        }
        Matcher stall = STALL.matcher(line);
        if (stall.matches()) {
            return new Pauses(0, 0, 0, 0, 0, 1, Double.parseDouble(stall.group(1)));
        }
        Matcher safepoint = SAFEPOINT.matcher(line);
        if (!safepoint.matches()) {
            return NONE;
        }
        double millis = Long.parseLong(safepoint.group(3)) / 1e6;
        return COLLECTORS.matcher(safepoint.group(1)).matches()
                ? new Pauses(0, 1, millis, millis, 0, 0, 0)
                : new Pauses(0, 0, 0, 0, millis, 0, 0);
    }
}
