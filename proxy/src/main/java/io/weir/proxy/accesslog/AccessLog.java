package io.weir.proxy.accesslog;

import io.weir.base.Clock;
import io.weir.base.Log;
import io.weir.base.Stats;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One access log: lanes that loops append to without waiting, and a file that the writer of {@link AccessLogs} writes.
 * Shared; loops use their lanes only. Problems with the file never affect a loop.
 */
final class AccessLog implements AutoCloseable {
    // larger than the longest record
    private static final int BUFFER = 128 * 1024;

    private final RecordFormat format;
    private final LogTarget target;
    private final Clock clock;
    private final ZoneId zone = ZoneId.systemDefault();
    private final AccessLogCounters counters;
    private final Path path;
    private final AccessLogFile file;
    private final List<Owned> lanes = new CopyOnWriteArrayList<>();
    // held to write, flush, rotate or close
    private final ReentrantLock writing = new ReentrantLock();
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER);
    private volatile AccessLogConfig config;
    private volatile boolean reopen;
    private volatile boolean beside;
    // the log whose file this one continues
    private volatile @Nullable AccessLog before;
    private volatile boolean left;
    private volatile boolean closed;

    private record Owned(LogLanes loop, LogLane lane) {}

    /** The environment of logs. */
    record Place(Path dataDirectory, Clock clock, Stats stats, Log log, Executor compressor) {
        Path path(AccessLogConfig config) {
            return dataDirectory.resolve(config.file()).normalize();
        }
    }

    private AccessLog(LogTarget target, RecordFormat format, AccessLogConfig config, Place place) {
        this.target = target;
        this.format = format;
        this.config = config;
        this.clock = place.clock();
        this.counters = AccessLogCounters.of(place.stats(), target.name());
        this.path = place.path(config);
        RotatedFiles others = new RotatedFiles(path, clock, zone, place.log(), place.compressor());
        this.file = new AccessLogFile(
                path,
                place.dataDirectory(),
                format.firstLine(),
                () -> this.config,
                clock,
                zone,
                place.log(),
                counters,
                others);
        place.stats().gauge(AccessLogStats.WAITING, this::waiting, target.name());
    }

    /**
     * A log, whose file is opened by the first {@link #flush}. A file that cannot be opened is reported and tried
     * again: the server continues.
     *
     * @param config whose format is not off
     * @throws IllegalArgumentException if the custom format or a status is wrong
     */
    static AccessLog of(String name, AccessLogConfig config, Place place) {
        RecordFormat format = RecordFormat.of(config);
        if (format == null) {
            throw new IllegalArgumentException("the access log " + name + " is off");
        }
        return new AccessLog(LogTarget.of(name, config), format, config, place);
    }

    /** Applies a configuration with the same records, file and buffers; returns false if they differ. */
    boolean follows(AccessLogConfig next) {
        if (!next.records().equals(config.records())) {
            return false;
        }
        config = next;
        return true;
    }

    /** Continues the file of one of the removed logs, after that one is closed. */
    void continueOneOf(Collection<AccessLog> leaving) {
        for (AccessLog other : leaving) {
            if (other.path.equals(path)) {
                before = other;
            }
        }
    }

    /** It was removed, and no loop appends to it any more. */
    void left() {
        left = true;
    }

    /** Whether everything recorded can be written, so that it may be closed. */
    boolean canClose() {
        AccessLog other = before;
        return left && (other == null || other.closed);
    }

    String name() {
        return target.name();
    }

    Path path() {
        return path;
    }

    Duration flushInterval() {
        return config.flushInterval();
    }

    /** A lane for a loop; it lives as long as the log. */
    LogLane lane(LogLanes loop, Runnable wake) {
        for (Owned owned : lanes) {
            if (owned.loop() == loop) {
                return owned.lane();
            }
        }
        AccessLogConfig c = config;
        LogLane lane = new LogLane(
                target,
                format,
                new LogClock(clock, zone),
                c.bufferSize().asInt(),
                c.recordSize().asInt(),
                wake,
                counters);
        lanes.add(new Owned(loop, lane));
        return lane;
    }

    private long waiting() {
        long sum = 0;
        for (Owned owned : lanes) {
            sum += owned.lane().waiting();
        }
        return sum;
    }

    /** Reopens the file at the next write, after it was moved. */
    void reopen() {
        reopen = true;
    }

    /**
     * Whether another process also writes the file: then it is not rotated, because the other process would continue to
     * write to the old file.
     */
    void beside(boolean another) {
        beside = another;
        file.shared(another);
    }

    /** Writes what is pending and rotates the file; returns false if it was empty or could not be moved. */
    boolean rotate() {
        writing.lock();
        try {
            flush();
            return !beside && file.rotate(config);
        } finally {
            writing.unlock();
        }
    }

    /** Writes what is pending, on the calling thread, which must not be a loop. */
    void flush() {
        AccessLog other = before;
        if (other != null && !other.closed) {
            return;
        }
        before = null;
        writing.lock();
        try {
            if (closed) {
                return;
            }
            if (reopen) {
                reopen = false;
                file.close();
            }
            file.reopenIfMoved();
            if (!beside) {
                file.rotateIfDue(config);
            }
            file.open();
            for (Owned owned : lanes) {
                drain(owned.lane());
            }
            write();
        } finally {
            writing.unlock();
        }
    }

    /** Drains only what is pending now: a loop that appends faster than the disk writes must not block the others. */
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

    /** Writes the remaining records. Loops must have stopped. */
    @Override
    public void close() {
        writing.lock();
        try {
            flush();
            file.close();
            closed = true;
        } finally {
            writing.unlock();
        }
    }
}
