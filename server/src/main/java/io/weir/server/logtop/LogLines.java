package io.weir.server.logtop;

import io.weir.proxy.accesslog.ReadRecord;
import io.weir.proxy.accesslog.RecordReader;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/**
 * One access log file, read line by line and, if it grows, from where reading stopped. Lines longer than any record are
 * skipped. Confined to its caller; must be closed.
 */
final class LogLines implements AutoCloseable {
    private static final int MAX_LINE = 128 * 1024;

    private final Path path;
    private final InputStream in;
    private final @Nullable Object key;
    private final byte[] line = new byte[MAX_LINE];
    private int length;
    private boolean tooLong;
    private @Nullable RecordReader reader;

    LogLines(Path path) throws IOException {
        this.path = path;
        this.key = key(path);
        InputStream file = Files.newInputStream(path);
        this.in = path.toString().endsWith(".gz")
                ? new GZIPInputStream(file, 64 * 1024)
                : new BufferedInputStream(file, 64 * 1024);
    }

    private static @Nullable Object key(Path path) throws IOException {
        return Files.readAttributes(path, BasicFileAttributes.class).fileKey();
    }

    /**
     * Adds the records that were not read yet. Records written before {@code since} (epoch milliseconds) are skipped.
     */
    void readTo(Summary summary, long since) throws IOException {
        for (int c = in.read(); c >= 0; c = in.read()) {
            if (c == '\n') {
                line(summary, since);
                length = 0;
                tooLong = false;
            } else if (length < MAX_LINE) {
                line[length++] = (byte) c;
            } else {
                tooLong = true;
            }
        }
    }

    private void line(Summary summary, long since) {
        if (length == 0) {
            return;
        }
        String text = new String(line, 0, length, StandardCharsets.ISO_8859_1);
        RecordReader r = reader;
        if (r == null || text.startsWith("format=")) {
            RecordReader next = RecordReader.of(text);
            reader = next == null ? r : next;
            if (text.startsWith("format=")) {
                return;
            }
        }
        RecordReader by = reader;
        ReadRecord record = by == null || tooLong ? null : by.read(text);
        if (record == null) {
            summary.unread();
        } else if (record.millis() >= since || (record.millis() < 0 && since <= 0)) {
            summary.add(record);
        }
    }

    /** Whether another file has this one's name now, or this one was truncated. */
    boolean replaced() throws IOException {
        return !Files.exists(path) || !Objects.equals(key, key(path));
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
