package io.weir.proxy.accesslog;

import io.weir.base.Clock;
import io.weir.base.Live;
import io.weir.base.Log;
import io.weir.base.Stats;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One access log: lanes that loops append to without waiting, and a file that the writer of {@link AccessLogs} fills.
 * Shared; loops touch their lanes only. Nothing that happens to the file reaches a loop.
 */
final class AccessLog implements AutoCloseable {
    // holds the longest record
    private static final int BUFFER = 128 * 1024;

    private final Live<AccessLogConfig> config;
    private final RecordFormat format;
    private final LogTarget target;
    private final Clock clock;
    private final ZoneId zone = ZoneId.systemDefault();
    private final AccessLogCounters counters;
    private final Path path;
    private final LogFile file;
    private final List<LogLane> lanes = new CopyOnWriteArrayList<>();
    // held by whoever writes: the writer, or who flushes, rotates or closes
    private final ReentrantLock writing = new ReentrantLock();
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER);
    private volatile boolean reopen;
    private volatile boolean beside;

    /** Where logs write, and what they tell it to. */
    record Place(Path dataDirectory, Clock clock, Stats stats, Log log, Executor compressor) {}

    private AccessLog(LogTarget target, RecordFormat format, Live<AccessLogConfig> config, Place place) {
        this.target = target;
        this.format = format;
        this.config = config;
        this.clock = place.clock();
        this.counters = AccessLogCounters.of(place.stats(), target.name());
        this.path = place.dataDirectory().resolve(config.get().file()).normalize();
        PutAside aside = new PutAside(path, clock, zone, place.log(), place.compressor());
        this.file = new LogFile(path, format.firstLine(), clock, zone, place.log(), counters, aside);
        place.stats().gauge(AccessLogStats.WAITING, this::waiting, target.name());
    }

    /**
     * Opens the log; null when its format is off. A file that cannot be opened is logged and tried again: the server
     * goes on.
     *
     * @throws IllegalArgumentException when the custom format or a status is wrong
     */
    static @Nullable AccessLog open(String name, Live<AccessLogConfig> config, Place place) {
        RecordFormat format = RecordFormat.of(config.get());
        if (format == null) {
            return null;
        }
        AccessLog opened = new AccessLog(LogTarget.of(name, config.get()), format, config, place);
        opened.flush();
        return opened;
    }

    String name() {
        return target.name();
    }

    Path path() {
        return path;
    }

    Duration flushInterval() {
        return config.get().flushInterval();
    }

    /** A lane for a loop; it lives as long as the log. */
    LogLane lane(Runnable wake) {
        AccessLogConfig c = config.get();
        LogLane lane = new LogLane(
                target,
                format,
                new LogClock(clock, zone),
                c.bufferSize().asInt(),
                c.recordSize().asInt(),
                wake,
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
    void reopen() {
        reopen = true;
    }

    /** Whether another process writes the file, too: it is not put aside then, for the other would write on into it. */
    void beside(boolean another) {
        beside = another;
    }

    /** Writes what waits and puts the file aside; false when it held nothing or could not be moved. */
    boolean rotate() {
        writing.lock();
        try {
            flush();
            return !beside && file.rotate(config.get());
        } finally {
            writing.unlock();
        }
    }

    /** Writes what waits, on the calling thread, which must not be a loop. */
    void flush() {
        writing.lock();
        try {
            if (reopen) {
                reopen = false;
                file.close();
            }
            file.reopenIfMoved();
            if (!beside) {
                file.rotateIfDue(config.get());
            }
            file.open();
            for (LogLane lane : lanes) {
                drain(lane);
            }
            write();
        } finally {
            writing.unlock();
        }
    }

    /** No more than waits now: a loop that appends faster than the disk writes must not keep the others waiting. */
    private void drain(LogLane lane) {
        long left = lane.waiting();
        while (left > 0) {
            int moved = lane.drain(buffer);
            left -= moved;
            if (moved == 0) {
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

    /** Writes what is left. Loops must have stopped. */
    @Override
    public void close() {
        writing.lock();
        try {
            flush();
            file.close();
        } finally {
            writing.unlock();
        }
    }
}
