package io.weir.server.logtop;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Reads access logs and prints the most notable hosts and URLs. Confined to its caller; lives for one call. */
public final class LogTop {
    /**
     * The query.
     *
     * @param since epoch milliseconds; earlier records are skipped
     * @param lines of each table
     * @param queries whether URLs that differ in their query are different
     * @param json one JSON object instead of a page
     */
    public record Question(long since, int lines, boolean queries, boolean json) {}

    private final Question question;
    private final ZoneId zone;
    private final Summary summary;

    public LogTop(Question question, ZoneId zone) {
        this.question = question;
        this.zone = zone;
        this.summary = new Summary(question.queries());
    }

    /** Reads files, the oldest first, and prints one report. */
    public void read(List<Path> files, PrintWriter out) throws IOException {
        for (Path file : files) {
            try (LogLines lines = new LogLines(file)) {
                lines.readTo(summary, question.since());
            }
        }
        print(out);
    }

    /** Reads files and prints a report each interval, following additions and rotations, while {@code running}. */
    public void follow(List<Path> files, Duration interval, PrintWriter out, BooleanSupplier running)
            throws IOException {
        LogLines[] lines = new LogLines[files.size()];
        try {
            for (int i = 0; i < lines.length; i++) {
                lines[i] = new LogLines(files.get(i));
            }
            while (true) {
                for (LogLines one : lines) {
                    one.readTo(summary, question.since());
                }
                print(out);
                if (!running.getAsBoolean() || Thread.currentThread().isInterrupted()) {
                    return;
                }
                LockSupport.parkNanos(interval.toNanos());
                for (int i = 0; i < lines.length; i++) {
                    if (lines[i].replaced()) {
                        lines[i].readTo(summary, question.since());
                        lines[i] = next(lines[i], files.get(i));
                    }
                }
            }
        } finally {
            for (LogLines one : lines) {
                if (one != null) {
                    one.close();
                }
            }
        }
    }

    /** The file that has the name now; the old one if there is none. */
    private static LogLines next(LogLines old, Path file) throws IOException {
        try {
            LogLines fresh = new LogLines(file);
            old.close();
            return fresh;
        } catch (NoSuchFileException e) {
            return old;
        }
    }

    private void print(PrintWriter out) {
        TopReport report = new TopReport(summary, question.lines(), zone);
        out.print(question.json() ? report.json() : report.text());
        out.flush();
    }
}
