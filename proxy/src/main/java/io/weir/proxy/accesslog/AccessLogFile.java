package io.weir.proxy.accesslog;

import io.weir.base.Clock;
import io.weir.base.IoReason;
import io.weir.base.Log;
import io.weir.base.OwnerOnly;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The file of an access log. Guarded by the log's writing lock. No problem with it is fatal: failed writes are counted,
 * and reported once until one succeeds.
 */
final class AccessLogFile {
    private static final long LOOK_MILLIS = 1000;
    /** The start of the first line of every format except JSON. */
    private static final byte[] FORMAT = "format=".getBytes(StandardCharsets.ISO_8859_1);

    private final Path path;
    /** Files in it are accessible by their owner only. */
    private final Path dataDirectory;

    private final byte[] firstLine;
    private final Supplier<AccessLogConfig> config;
    private final Clock clock;
    private final ZoneId zone;
    private final Log log;
    private final AccessLogCounters counters;
    private final RotatedFiles aside;
    private @Nullable FileChannel channel;
    private @Nullable Object key;
    private long size;
    private long openedMillis;
    private long lookedMillis;
    // a failed write may have ended inside a record
    private boolean torn;
    private boolean failing;
    private volatile boolean shared;
    private long lost;

    AccessLogFile(
            Path path,
            Path dataDirectory,
            String firstLine,
            Supplier<AccessLogConfig> config,
            Clock clock,
            ZoneId zone,
            Log log,
            AccessLogCounters counters,
            RotatedFiles aside) {
        this.path = path;
        this.dataDirectory = dataDirectory;
        this.firstLine = (firstLine.isEmpty() ? "" : firstLine + "\n").getBytes(StandardCharsets.ISO_8859_1);
        this.config = config;
        this.clock = clock;
        this.zone = zone;
        this.log = log;
        this.counters = counters;
        this.aside = aside;
    }

    /** Opens the file if it is not open; returns false if that fails. */
    boolean open() {
        if (channel != null) {
            return true;
        }
        try {
            makeRoom();
            OwnerOnly.log(path, dataDirectory);
            FileChannel opened = FileChannel.open(
                    path, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND);
            channel = opened;
            size = opened.size();
            BasicFileAttributes about = Files.readAttributes(path, BasicFileAttributes.class);
            key = about.fileKey();
            lookedMillis = clock.millis();
            openedMillis = size == 0
                    ? lookedMillis
                    : Math.min(lookedMillis, about.lastModifiedTime().toMillis());
            if (size == 0) {
                torn = false;
                put(opened, ByteBuffer.wrap(firstLine));
            }
            return true;
        } catch (IOException e) {
            failed(AccessLogMessages.OPEN_FAILED, e);
            return false;
        }
    }

    /** Whether another process also writes the file. From any thread. */
    void shared(boolean another) {
        shared = another;
    }

    /** A file has one format: one that starts differently is rotated. */
    private void makeRoom() throws IOException {
        if (shared || !Files.isRegularFile(path) || Files.size(path) == 0) {
            return;
        }
        byte[] mine = firstLine.length == 0 ? FORMAT : firstLine;
        byte[] found;
        try (InputStream in = Files.newInputStream(path)) {
            found = in.readNBytes(mine.length);
        }
        if (Arrays.equals(found, mine) != (firstLine.length > 0)) {
            move(config.get());
        }
    }

    /** Reopens the file if it was moved away; checks once a second. */
    void reopenIfMoved() {
        long now = clock.millis();
        if (channel == null || now - lookedMillis < LOOK_MILLIS) {
            return;
        }
        lookedMillis = now;
        try {
            Object found = Files.readAttributes(path, BasicFileAttributes.class).fileKey();
            if (found != null && !found.equals(key)) {
                close();
            }
        } catch (NoSuchFileException e) {
            close();
        } catch (IOException e) {
            failed(AccessLogMessages.OPEN_FAILED, e);
        }
    }

    /** Writes the buffer's complete records; what cannot be written is lost and counted. */
    void write(ByteBuffer buffer) {
        int start = buffer.position();
        if (!open()) {
            lose(buffer);
            return;
        }
        FileChannel out = channel;
        try {
            if (out != null) {
                if (torn) {
                    put(out, ByteBuffer.wrap(new byte[] {'\n'}));
                    torn = false;
                }
                put(out, buffer);
                written();
            }
        } catch (IOException e) {
            mend(out, buffer, start);
            failed(AccessLogMessages.WRITE_FAILED, e);
            lose(buffer);
        }
    }

    private void put(FileChannel out, ByteBuffer buffer) throws IOException {
        while (buffer.hasRemaining()) {
            int n = out.write(buffer);
            size += n;
            counters.writes().inc();
            counters.bytes().add(n);
        }
    }

    /** Truncates an incompletely written record from the file. */
    private void mend(@Nullable FileChannel out, ByteBuffer buffer, int start) {
        int whole = buffer.position();
        while (whole > start && buffer.get(whole - 1) != '\n') {
            whole--;
        }
        int rest = buffer.position() - whole;
        try {
            if (rest > 0 && out != null && out.size() == size) {
                out.truncate(size - rest);
                rest = 0;
            }
        } catch (IOException e) {
            log.log(AccessLogMessages.WRITE_FAILED, path, IoReason.ofFile(e));
        }
        torn |= rest > 0;
    }

    private void lose(ByteBuffer records) {
        long n = 0;
        for (int i = records.position(); i < records.limit(); i++) {
            n += records.get(i) == '\n' ? 1 : 0;
        }
        lost += n;
        counters.lost().add(n);
    }

    /** Reports a failure once until the file can be written again. */
    private void failed(AccessLogMessages what, IOException cause) {
        counters.failures().inc();
        if (!failing) {
            failing = true;
            log.log(what, path, IoReason.ofFile(cause));
        }
        close();
    }

    private void written() {
        if (failing) {
            failing = false;
            log.log(AccessLogMessages.WRITTEN_AGAIN, path, lost);
            lost = 0;
        }
    }

    /** Rotates the file if it is large enough or a period is over. */
    void rotateIfDue(AccessLogConfig config) {
        long limit = config.rotateSize().bytes();
        long period = config.rotateInterval().toMillis();
        boolean large = limit > 0 && size >= limit;
        boolean old = period > 0 && period(clock.millis(), period) > period(openedMillis, period);
        if (large || old) {
            rotate(config);
        }
    }

    /** Periods are counted from local midnight. */
    private long period(long millis, long length) {
        long offset = zone.getRules().getOffset(Instant.ofEpochMilli(millis)).getTotalSeconds() * 1000L;
        return Math.floorDiv(millis + offset, length);
    }

    /** Rotates the file if it has any record; returns false if it does not or cannot be moved. */
    boolean rotate(AccessLogConfig config) {
        if (channel == null || size <= firstLine.length) {
            openedMillis = clock.millis();
            return false;
        }
        boolean moved = move(config);
        open();
        openedMillis = clock.millis();
        return moved;
    }

    private boolean move(AccessLogConfig config) {
        close();
        boolean moved = false;
        try {
            Files.move(path, aside.next());
            moved = true;
            counters.rotations().inc();
            aside.added(config);
        } catch (IOException e) {
            log.log(AccessLogMessages.ROTATION_FAILED, path, IoReason.ofFile(e));
        }
        return moved;
    }

    void close() {
        FileChannel open = channel;
        channel = null;
        if (open != null) {
            try {
                open.close();
            } catch (IOException e) {
                counters.failures().inc();
                log.log(AccessLogMessages.WRITE_FAILED, path, IoReason.ofFile(e));
            }
        }
    }
}
