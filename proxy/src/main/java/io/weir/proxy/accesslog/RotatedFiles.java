package io.weir.proxy.accesslog;

import io.weir.base.Clock;
import io.weir.base.IoReason;
import io.weir.base.Log;
import io.weir.base.OwnerOnly;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;

/**
 * The rotated files of an access log: their names, the number kept, their compression. Shared by the log's writer and
 * the compressor, which use different files.
 */
final class RotatedFiles {
    private static final DateTimeFormatter STAMP = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss", Locale.ROOT);
    private static final Pattern SUFFIX = Pattern.compile("([0-9]{8}-[0-9]{6}(?:\\.[0-9]{6,})?)(\\.gz(?:\\.part)?)?");
    private static final String COMPRESSED = ".gz";
    private static final String PART = ".gz.part";

    private final Path path;
    private final Clock clock;
    private final ZoneId zone;
    private final Log log;
    private final Executor compressor;

    RotatedFiles(Path path, Clock clock, ZoneId zone, Log log, Executor compressor) {
        this.path = path;
        this.clock = clock;
        this.zone = zone;
        this.log = log;
        this.compressor = compressor;
    }

    /** A free name: {@code access.20261121-204211}, with a number appended if that exists already. */
    Path next() {
        String stamp = STAMP.format(Instant.ofEpochMilli(clock.millis()).atZone(zone));
        Path aside = path.resolveSibling(path.getFileName() + "." + stamp);
        for (int n = 1; taken(aside); n++) {
            aside = path.resolveSibling(path.getFileName() + "." + stamp + "." + String.format(Locale.ROOT, "%06d", n));
        }
        return aside;
    }

    private static boolean taken(Path aside) {
        return Files.exists(aside) || Files.exists(aside.resolveSibling(aside.getFileName() + COMPRESSED));
    }

    /** A file was rotated: deletes the excess, compresses the others. */
    void added(AccessLogConfig config) throws IOException {
        if (config.keep() > 0) {
            deleteOldest(config.keep());
        }
        if (config.compress()) {
            try {
                compressor.execute(this::compressAll);
            } catch (RejectedExecutionException e) {
                log.log(AccessLogMessages.COMPRESSION_FAILED, path, "the server stops");
            }
        }
    }

    /** The rotated files of a log, oldest first, including compressed ones. */
    static List<Path> of(Path path) throws IOException {
        return found(path, "", COMPRESSED);
    }

    private static List<Path> found(Path path, String... endings) throws IOException {
        Path directory = path.toAbsolutePath().getParent();
        List<Path> found = new ArrayList<>();
        if (directory == null || !Files.isDirectory(directory)) {
            return found;
        }
        String prefix = path.getFileName() + ".";
        try (Stream<Path> files = Files.list(directory)) {
            files.filter(f -> {
                        String name = String.valueOf(f.getFileName());
                        Matcher m = SUFFIX.matcher(name.startsWith(prefix) ? name.substring(prefix.length()) : "");
                        return m.matches() && List.of(endings).contains(m.group(2) == null ? "" : m.group(2));
                    })
                    .forEach(found::add);
        }
        found.sort(null);
        return found;
    }

    /** While a file is being compressed it exists twice, which counts as one. */
    private void deleteOldest(int keep) throws IOException {
        List<Path> files = of(path);
        List<String> names = files.stream().map(RotatedFiles::plain).distinct().toList();
        List<String> old = names.subList(0, Math.max(0, names.size() - keep));
        for (Path file : files) {
            if (old.contains(plain(file))) {
                Files.deleteIfExists(file);
            }
        }
    }

    private static String plain(Path file) {
        String name = String.valueOf(file.getFileName());
        return name.endsWith(COMPRESSED) ? name.substring(0, name.length() - COMPRESSED.length()) : name;
    }

    /** On the compressor: also compresses files left over from a stop. */
    private void compressAll() {
        try {
            for (Path stale : found(path, PART)) {
                Files.deleteIfExists(stale);
            }
            for (Path file : found(path, "")) {
                compress(file);
            }
        } catch (ClosedByInterruptException stopping) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            log.log(AccessLogMessages.COMPRESSION_FAILED, path, IoReason.ofFile(e));
        }
    }

    private static void compress(Path file) throws IOException {
        Path part = file.resolveSibling(file.getFileName() + PART);
        try {
            OwnerOnly.write(part, new byte[0]);
            try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(part), 64 * 1024)) {
                Files.copy(file, out);
            }
            Files.setPosixFilePermissions(part, Files.getPosixFilePermissions(file));
            Files.move(part, file.resolveSibling(file.getFileName() + COMPRESSED), StandardCopyOption.ATOMIC_MOVE);
            Files.deleteIfExists(file);
        } finally {
            Files.deleteIfExists(part);
        }
    }
}
