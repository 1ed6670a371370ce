package io.weir.proxy.accesslog;

import io.weir.base.Clock;
import io.weir.base.Live;
import io.weir.base.Log;
import io.weir.base.Stats;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The access logs of a server and the one thread, {@code weir.access-log}, that writes them to their files. Shared; loops
 * touch their lanes only.
 */
public final class AccessLogs implements AutoCloseable {
    /** The name of the log that {@code proxy.access-log} is. */
    public static final String GLOBAL = "global";

    private static final int MAX_COMPRESSIONS = 64;

    private final List<AccessLog> logs = new ArrayList<>();
    private final ThreadPoolExecutor compressor;
    private final Thread writer;
    private volatile boolean closed;

    private AccessLogs() {
        this.compressor = new ThreadPoolExecutor(
                1,
                1,
                10,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(MAX_COMPRESSIONS),
                work -> Thread.ofPlatform()
                        .daemon(true)
                        .name("weir.access-log.Compressor")
                        .unstarted(work));
        compressor.allowCoreThreadTimeOut(true);
        this.writer = Thread.ofPlatform().daemon(true).name("weir.access-log").unstarted(this::run);
    }

    /**
     * Opens the logs whose formats are not off, and starts their writer; null when all are.
     *
     * @param configs by the logs' names
     * @throws IllegalArgumentException when a format or a status is wrong, or two logs have one file
     */
    public static @Nullable AccessLogs open(
            Map<String, Live<AccessLogConfig>> configs, Path dataDirectory, Clock clock, Stats stats, Log log) {
        AccessLogs all = new AccessLogs();
        AccessLog.Place place = new AccessLog.Place(dataDirectory, clock, stats, log, all.compressor);
        Map<Path, String> files = new HashMap<>();
        configs.forEach((name, config) -> {
            AccessLog opened = AccessLog.open(name, config, place);
            if (opened != null) {
                String other = files.put(opened.path(), name);
                if (other != null) {
                    throw new IllegalArgumentException(
                            "the access logs " + other + " and " + name + " have one file, " + opened.path());
                }
                all.logs.add(opened);
            }
        });
        if (all.logs.isEmpty()) {
            return null;
        }
        all.writer.start();
        return all;
    }

    /** Lanes for a loop; they live as long as the logs. */
    public LogLanes lanes() {
        return new LogLanes(logs.stream()
                .map(log -> log.lane(() -> LockSupport.unpark(writer)))
                .toList());
    }

    /**
     * What is wrong with a log's configuration.
     *
     * @param key the knob
     */
    public record Problem(String key, String what) {}

    /** What is wrong with a log's format or statuses. */
    public static Optional<Problem> problem(AccessLogConfig config) {
        String key = "custom";
        try {
            RecordFormat.of(config);
            key = "statuses";
            LogTarget.of("", config);
            return Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.of(new Problem(key, String.valueOf(e.getMessage())));
        }
    }

    /** The files put aside for a log's file, the oldest first. */
    public static List<Path> putAside(Path file) throws IOException {
        return PutAside.of(file);
    }

    /** The logs' names. */
    public List<String> names() {
        return logs.stream().map(AccessLog::name).toList();
    }

    /** Whether another process writes the same files: they are not put aside while one does. */
    public void beside(boolean another) {
        logs.forEach(log -> log.beside(another));
    }

    /** Opens the files anew at once, after somebody moved them; returns the logs' names. */
    public List<String> reopen() {
        logs.forEach(AccessLog::reopen);
        LockSupport.unpark(writer);
        return names();
    }

    /**
     * Puts files aside, on the calling thread, which must not be a loop; returns the names of the logs where there was
     * anything to put aside.
     *
     * @param name the log; null: all
     */
    public List<String> rotate(@Nullable String name) {
        List<String> done = new ArrayList<>();
        for (AccessLog log : logs) {
            if ((name == null || log.name().equals(name)) && log.rotate()) {
                done.add(log.name());
            }
        }
        return done;
    }

    private void run() {
        while (!closed) {
            long nanos = logs.stream()
                    .mapToLong(log -> log.flushInterval().toNanos())
                    .min()
                    .orElse(TimeUnit.SECONDS.toNanos(1));
            LockSupport.parkNanos(nanos);
            flush();
        }
    }

    /** Writes what waits, on the calling thread, which must not be a loop. */
    public void flush() {
        logs.forEach(AccessLog::flush);
    }

    /** Writes what is left and stops the writer. Loops must have stopped. A compression under way is done at the next. */
    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(writer);
        try {
            writer.join(5000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        logs.forEach(AccessLog::close);
        compressor.shutdown();
    }
}
