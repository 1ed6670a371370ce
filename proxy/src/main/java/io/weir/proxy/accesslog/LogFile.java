package io.weir.proxy.accesslog;

import io.weir.base.Clock;
import io.weir.base.Log;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The file of an access log, and those put aside. Confined to whoever holds the log's writing lock. */
final class LogFile {
    private static final DateTimeFormatter STAMP = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss", Locale.ROOT);

    private final Path path;
    private final byte[] firstLine;
    private final Clock clock;
    private final ZoneId zone;
    private final Log log;
    private final AccessLogCounters counters;
    private @Nullable FileChannel channel;
    private long size;
    private long openedMillis;
    // a failed write may have ended inside a record
    private boolean torn;

    LogFile(Path path, String firstLine, Clock clock, ZoneId zone, Log log, AccessLogCounters counters) {
        this.path = path;
        this.firstLine = (firstLine + "\n").getBytes(StandardCharsets.ISO_8859_1);
        this.clock = clock;
        this.zone = zone;
        this.log = log;
        this.counters = counters;
    }

    /** Opens the file where it is not open; false when that fails. */
    boolean open() {
        if (channel != null) {
            return true;
        }
        try {
            Path directory = path.toAbsolutePath().getParent();
            if (directory != null) {
                Files.createDirectories(directory);
            }
            FileChannel opened = FileChannel.open(
                    path, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND);
            channel = opened;
            size = opened.size();
            openedMillis = clock.millis();
            if (size == 0) {
                put(opened, ByteBuffer.wrap(firstLine));
            }
            return true;
        } catch (IOException e) {
            counters.failures().inc();
            log.log(AccessLogMessages.OPEN_FAILED, path, e);
            close();
            return false;
        }
    }

    /** Writes the buffer's content; what cannot be written is lost and counted. */
    void write(ByteBuffer buffer) {
        if (!open()) {
            return;
        }
        try {
            FileChannel out = channel;
            if (out != null) {
                if (torn) {
                    put(out, ByteBuffer.wrap(new byte[] {'\n'}));
                    torn = false;
                }
                put(out, buffer);
            }
        } catch (IOException e) {
            torn = true;
            counters.failures().inc();
            log.log(AccessLogMessages.WRITE_FAILED, path, e);
            close();
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

    /** Puts the file aside when it is large or old enough. */
    void rotateIfDue(AccessLogConfig config) {
        if (channel == null || size <= firstLine.length) {
            return;
        }
        long limit = config.rotateSize().bytes();
        long age = config.rotateInterval().toMillis();
        boolean large = limit > 0 && size >= limit;
        boolean old = age > 0 && clock.millis() - openedMillis >= age;
        if (large || old) {
            rotate(config.keep());
        }
    }

    private void rotate(int keep) {
        close();
        try {
            Files.move(path, aside());
            counters.rotations().inc();
            if (keep > 0) {
                deleteOldest(keep);
            }
        } catch (IOException e) {
            log.log(AccessLogMessages.ROTATION_FAILED, path, e);
        }
        open();
        openedMillis = clock.millis();
    }

    /** {@code access.20261121-204211}, with a number where that exists already. */
    private Path aside() {
        String stamp = STAMP.format(Instant.ofEpochMilli(clock.millis()).atZone(zone));
        Path aside = path.resolveSibling(path.getFileName() + "." + stamp);
        for (int n = 1; Files.exists(aside); n++) {
            aside = path.resolveSibling(path.getFileName() + "." + stamp + "." + String.format(Locale.ROOT, "%06d", n));
        }
        return aside;
    }

    private void deleteOldest(int keep) throws IOException {
        Path directory = path.toAbsolutePath().getParent();
        if (directory == null) {
            return;
        }
        List<Path> old = new ArrayList<>();
        String prefix = path.getFileName() + ".";
        try (Stream<Path> files = Files.list(directory)) {
            files.filter(f -> isAside(String.valueOf(f.getFileName()), prefix)).forEach(old::add);
        }
        old.sort(null);
        for (int i = 0; i < old.size() - keep; i++) {
            Files.deleteIfExists(old.get(i));
        }
    }

    private static boolean isAside(String name, String prefix) {
        return name.startsWith(prefix) && name.substring(prefix.length()).matches("[0-9]{8}-[0-9]{6}(\\.[0-9]{6,})?");
    }

    void close() {
        FileChannel open = channel;
        channel = null;
        if (open != null) {
            try {
                open.close();
            } catch (IOException e) {
                counters.failures().inc();
                log.log(AccessLogMessages.WRITE_FAILED, path, e);
            }
        }
    }
}
