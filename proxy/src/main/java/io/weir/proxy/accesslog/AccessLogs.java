package io.weir.proxy.accesslog;

import io.weir.base.Clock;
import io.weir.base.Log;
import io.weir.base.Stats;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The access logs of a server and the thread {@code weir.access-log} that writes them to their files. They can be
 * added, removed and changed while loops append. Shared; loops use their lanes only.
 */
public final class AccessLogs implements AutoCloseable {
    /** The name of the log configured by {@code proxy.access-log}. */
    public static final String GLOBAL = "global";

    private static final int MAX_COMPRESSIONS = 64;
    private static final long CLOSE_MILLIS = 5000;

    private final AccessLog.Place place;
    private final Consumer<Runnable> afterLoops;
    private final ThreadPoolExecutor compressor;
    private final Thread writer;
    private final List<LogLanes> loops = new ArrayList<>();
    // held to change the logs, or to close one that was removed
    private final ReentrantLock changing = new ReentrantLock();
    // removed; a loop may still be appending to one of them
    private final List<AccessLog> leaving = new CopyOnWriteArrayList<>();
    private volatile List<AccessLog> logs = List.of();
    private boolean writing;
    private volatile boolean beside;
    private volatile boolean closed;

    private AccessLogs(Path dataDirectory, Clock clock, Stats stats, Log log, Consumer<Runnable> afterLoops) {
        this.afterLoops = afterLoops;
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
        this.place = new AccessLog.Place(dataDirectory, clock, stats, log, compressor);
        this.writer = Thread.ofPlatform().daemon(true).name("weir.access-log").unstarted(this::run);
    }

    /**
     * Opens the logs whose formats are not off.
     *
     * @param configs by the logs' names
     * @param afterLoops runs an action once every loop has finished its current task
     * @throws IllegalArgumentException if a format or a status is wrong, or two logs have the same file
     */
    public static AccessLogs open(
            Map<String, AccessLogConfig> configs,
            Path dataDirectory,
            Clock clock,
            Stats stats,
            Log log,
            Consumer<Runnable> afterLoops) {
        AccessLogs all = new AccessLogs(dataDirectory, clock, stats, log, afterLoops);
        all.configure(configs);
        return all;
    }

    /** Lanes for a loop; they follow changes of the logs, and live as long as those are not closed. */
    public LogLanes lanes() {
        changing.lock();
        try {
            LogLanes lanes = new LogLanes(List.of());
            loops.add(lanes);
            hand(lanes);
            return lanes;
        } finally {
            changing.unlock();
        }
    }

    private void hand(LogLanes lanes) {
        lanes.now(logs.stream()
                .map(log -> log.lane(lanes, () -> LockSupport.unpark(writer)))
                .toList());
    }

    /**
     * When this returns, logs that are new, or whose records, file or buffers changed, are active; earlier records are
     * written to the old file, which is then closed. Logs that are not in the configuration continue until {@link
     * #prune}, so that exchanges find theirs while the program that names it is in force.
     *
     * @throws IllegalArgumentException if a format or a status is wrong, or two logs have the same file; then nothing
     *     changes
     */
    public void configure(Map<String, AccessLogConfig> configs) {
        changing.lock();
        try {
            checkFiles(configs);
            Map<String, AccessLog> before = new LinkedHashMap<>();
            logs.forEach(log -> before.put(log.name(), log));
            List<AccessLog> next = new ArrayList<>();
            List<AccessLog> added = new ArrayList<>();
            configs.forEach((name, config) -> {
                AccessLog log = before.remove(name);
                if (log != null && log.follows(config)) {
                    next.add(log);
                } else if (config.format() != AccessLogConfig.Style.OFF) {
                    AccessLog made = AccessLog.of(name, config, place);
                    made.beside(beside);
                    added.add(made);
                    next.add(made);
                    if (log != null) {
                        before.put(name, log);
                    }
                } else if (log != null) {
                    before.put(name, log);
                }
            });
            added.forEach(log -> log.continueOneOf(before.values()));
            List<AccessLog> replaced = new ArrayList<>();
            for (AccessLog log : before.values()) {
                boolean another = added.stream().anyMatch(c -> c.name().equals(log.name()));
                (another ? replaced : next).add(log);
            }
            put(next, replaced);
            added.forEach(AccessLog::flush);
        } finally {
            changing.unlock();
        }
    }

    private void checkFiles(Map<String, AccessLogConfig> configs) {
        Map<Path, String> files = new HashMap<>();
        configs.forEach((name, config) -> {
            Path path = place.path(config);
            String other = config.format() == AccessLogConfig.Style.OFF ? null : files.put(path, name);
            if (other != null) {
                throw new IllegalArgumentException(
                        "the access logs " + other + " and " + name + " have one file, " + path);
            }
        });
    }

    /** Removes the logs that are not in the configuration, or off. */
    public void prune(Map<String, AccessLogConfig> configs) {
        changing.lock();
        try {
            List<AccessLog> next = new ArrayList<>();
            List<AccessLog> gone = new ArrayList<>();
            for (AccessLog log : logs) {
                AccessLogConfig config = configs.get(log.name());
                (config != null && config.format() != AccessLogConfig.Style.OFF ? next : gone).add(log);
            }
            if (!gone.isEmpty()) {
                put(next, gone);
            }
        } finally {
            changing.unlock();
        }
    }

    private void put(List<AccessLog> next, List<AccessLog> gone) {
        leaving.addAll(gone);
        logs = List.copyOf(next);
        loops.forEach(this::hand);
        if (!gone.isEmpty()) {
            afterLoops.accept(() -> {
                gone.forEach(AccessLog::left);
                LockSupport.unpark(writer);
            });
        }
        if (!writing && !next.isEmpty()) {
            writing = true;
            writer.start();
        }
    }

    /**
     * A problem in a log's configuration.
     *
     * @param key the knob
     */
    public record Problem(String key, String what) {}

    /** The problem in a log's format or statuses, if any. */
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

    /** The rotated files of a log's file, oldest first. */
    public static List<Path> rotatedFiles(Path file) throws IOException {
        return RotatedFiles.of(file);
    }

    /** The logs' names. */
    public List<String> names() {
        return logs.stream().map(AccessLog::name).toList();
    }

    /** Whether another process writes the same files: then they are not rotated. */
    public void beside(boolean another) {
        beside = another;
        logs.forEach(log -> log.beside(another));
    }

    /** Reopens the files at once, after they were moved; returns the logs' names. */
    public List<String> reopen() {
        logs.forEach(AccessLog::reopen);
        LockSupport.unpark(writer);
        return names();
    }

    /**
     * Rotates files, on the calling thread, which must not be a loop; returns the names of the logs that were rotated.
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

    /** Writes what is pending, on the calling thread, which must not be a loop. */
    public void flush() {
        for (AccessLog log : leaving) {
            log.flush();
            if (log.canClose()) {
                end(log);
            }
        }
        logs.forEach(AccessLog::flush);
    }

    /** No loop appends to it any more. */
    private void end(AccessLog log) {
        changing.lock();
        try {
            if (leaving.remove(log)) {
                log.close();
                if (logs.stream().noneMatch(l -> l.name().equals(log.name()))
                        && leaving.stream().noneMatch(l -> l.name().equals(log.name()))) {
                    place.stats().forget("log", log.name());
                }
            }
        } finally {
            changing.unlock();
        }
    }

    /**
     * Writes the remaining records and stops the writer. Loops must have stopped. Aborts a compression in progress,
     * which is repeated at the next rotation; nothing is written after this returns.
     */
    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(writer);
        soon(() -> writer.join(CLOSE_MILLIS));
        leaving.forEach(AccessLog::close);
        logs.forEach(AccessLog::close);
        compressor.shutdownNow();
        soon(() -> compressor.awaitTermination(CLOSE_MILLIS, TimeUnit.MILLISECONDS));
    }

    private interface Wait {
        void run() throws InterruptedException;
    }

    private static void soon(Wait wait) {
        try {
            wait.run();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
