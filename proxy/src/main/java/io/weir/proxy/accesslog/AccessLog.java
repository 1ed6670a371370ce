package io.weir.proxy.accesslog;

import io.weir.base.Clock;
import io.weir.base.Live;
import io.weir.base.Log;
import io.weir.base.Stats;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The access log: lanes that loops append to without waiting, and one thread, {@code weir.access-log}, that writes them to
 * a file. Shared; loops touch their lanes only. Nothing that happens to the file reaches a loop.
 */
public final class AccessLog implements AutoCloseable {
    private static final int BUFFER = 128 * 1024;

    private final Live<AccessLogConfig> config;
    private final LogFormat format;
    private final Clock clock;
    private final ZoneId zone = ZoneId.systemDefault();
    private final AccessLogCounters counters;
    private final LogFile file;
    private final List<LogLane> lanes = new CopyOnWriteArrayList<>();
    // held by whoever writes: the thread, or who flushes or closes
    private final ReentrantLock writing = new ReentrantLock();
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER);
    private final Thread writer;
    private volatile boolean closed;
    private volatile boolean reopen;

    private AccessLog(
            Live<AccessLogConfig> config, LogFormat format, Path dataDirectory, Clock clock, Stats stats, Log log) {
        this.config = config;
        this.format = format;
        this.clock = clock;
        this.counters = AccessLogCounters.of(stats);
        Path path = dataDirectory.resolve(config.get().file());
        this.file = new LogFile(path, format.firstLine(), clock, zone, log, counters);
        stats.gauge(AccessLogStats.WAITING, this::waiting);
        this.writer = Thread.ofPlatform().daemon(true).name("weir.access-log").unstarted(this::run);
    }

    /**
     * Opens the log and starts its writer; null when the format is off. A file that cannot be opened is logged and tried
     * again: the server goes on.
     *
     * @throws IllegalArgumentException when the custom format is wrong
     */
    public static @Nullable AccessLog open(
            Live<AccessLogConfig> config, Path dataDirectory, Clock clock, Stats stats, Log log) {
        LogFormat format = LogFormat.of(config.get());
        if (format == null) {
            return null;
        }
        AccessLog opened = new AccessLog(config, format, dataDirectory, clock, stats, log);
        opened.flush();
        opened.writer.start();
        return opened;
    }

    /** A lane for a loop; it lives as long as the log. */
    public LogLane lane() {
        AccessLogConfig c = config.get();
        LogLane lane = new LogLane(
                format,
                new LogClock(clock, zone),
                c.bufferSize().asInt(),
                c.recordSize().asInt(),
                () -> LockSupport.unpark(writer),
                counters);
        lanes.add(lane);
        return lane;
    }

    private long waiting() {
        long sum = 0;
        for (LogLane lane : lanes) {
            sum += lane.waiting();
        }
        return sum;
    }

    /** Opens the file anew at the next write, after somebody moved it. */
    public void reopen() {
        reopen = true;
        LockSupport.unpark(writer);
    }

    private void run() {
        while (!closed) {
            LockSupport.parkNanos(config.get().flushInterval().toNanos());
            flush();
        }
    }

    /** Writes what waits, on the calling thread, which must not be a loop. */
    public void flush() {
        writing.lock();
        try {
            if (reopen) {
                reopen = false;
                file.close();
            }
            file.rotateIfDue(config.get());
            file.open();
            for (LogLane lane : lanes) {
                drain(lane);
            }
            write();
        } finally {
            writing.unlock();
        }
    }

    private void drain(LogLane lane) {
        while (lane.drain(buffer) > 0) {
            if (!buffer.hasRemaining()) {
                write();
            }
        }
    }

    private void write() {
        buffer.flip();
        if (buffer.hasRemaining()) {
            file.write(buffer);
        }
        buffer.clear();
    }

    /** Writes what is left and stops the writer. Loops must have stopped. */
    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(writer);
        try {
            writer.join(5000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        flush();
        writing.lock();
        try {
            file.close();
        } finally {
            writing.unlock();
        }
    }
}
