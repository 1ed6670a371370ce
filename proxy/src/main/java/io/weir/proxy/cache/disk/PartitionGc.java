package io.weir.proxy.cache.disk;

import io.weir.base.Clock;
import io.weir.base.Log;
import io.weir.proxy.cache.config.DiskConfig;
import io.weir.proxy.cache.config.DiskGcConfig;
import io.weir.proxy.cache.config.DiskGcTime;
import io.weir.proxy.cache.disk.files.Folder;
import java.io.IOException;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The garbage collection of a partition: reclaims the oldest segments, one in a step, so that what is queued is written
 * in between. Confined to the writer, but for requests and reports.
 */
// The oldest first, always: a segment in the middle may have the purges, and the later versions, of records in older
// ones, which a start would then find again (docs/adr/0021).
final class PartitionGc {
    private static final int NOT_ASKED = -1;
    private static final long NONE = -1;
    private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final String name;
    private final Supplier<DiskConfig> config;
    private final DiskLog log;
    private final Folder folder;
    private final DiskCounters counters;
    private final Clock clock;
    private final Log messages;

    private final Object lock = new Object();
    /** Guarded by the lock: a share of the size, in percent. */
    private int asked = NOT_ASKED;

    /** Guarded by the lock. */
    private Collected report;

    /** Bytes at which the collection ends; none: there is none. */
    private long target = NONE;

    private String reason = "";
    private long begunAt;
    private long mostSteps;
    private long before;
    private long segments;
    private long carried;
    private long removed;

    private boolean looked;
    private long lookedAt;
    private List<String> schedule = List.of();
    private @Nullable ZonedDateTime next;

    PartitionGc(
            String name,
            Supplier<DiskConfig> config,
            DiskLog log,
            Folder folder,
            DiskCounters counters,
            Clock clock,
            Log messages) {
        this.name = name;
        this.config = config;
        this.log = log;
        this.folder = folder;
        this.counters = counters;
        this.clock = clock;
        this.messages = messages;
        this.report = Collected.none(name);
    }

    /**
     * Asks for a collection, which the writer begins within a second.
     *
     * @param percent of the partition's size at which it ends; less than 0: at the low margin
     */
    void ask(int percent) {
        synchronized (lock) {
            asked = percent < 0 ? config.get().gc().lowMargin() : percent;
            report = report.requested();
        }
    }

    /** The last collection, or the one that is under way. */
    Collected report() {
        synchronized (lock) {
            return report;
        }
    }

    /** Whether {@link #step} has more to do. */
    boolean running() {
        return target != NONE;
    }

    /** Reclaims one segment at most. */
    void step() throws IOException {
        if (target == NONE) {
            begin();
        }
        if (target == NONE) {
            return;
        }
        // what is hot is carried over again and again: a bound, for a target that cannot be reached
        if (log.bytes() > target && segments < mostSteps && log.collect()) {
            segments++;
            tell(true);
        } else {
            end();
        }
    }

    private void begin() throws IOException {
        DiskGcConfig now = config.get().gc();
        int percent = taken();
        if (percent != NOT_ASKED) {
            begin("command", share(percent));
        } else if (now.mode() == DiskGcConfig.Mode.SCHEDULED && due(now.schedule())) {
            begin("schedule", share(now.lowMargin()));
        } else if (now.mode() == DiskGcConfig.Mode.AUTOMATIC && log.bytes() > share(now.highMargin())) {
            begin("size", share(now.lowMargin()));
        } else if (now.mode() != DiskGcConfig.Mode.OFF && overfull(now.fileSystemFull())) {
            begin("file-system", log.bytes() / 100 * (100 - now.extraMargin()));
        }
    }

    private int taken() {
        synchronized (lock) {
            int percent = asked;
            asked = NOT_ASKED;
            return percent;
        }
    }

    private long share(int percent) {
        return log.capacity() / 100 * percent;
    }

    private boolean due(List<String> times) {
        ZonedDateTime now = Instant.ofEpochMilli(clock.millis()).atZone(ZoneId.systemDefault());
        ZonedDateTime at = times.equals(schedule) ? next : null;
        boolean due = at != null && !now.isBefore(at);
        if (at == null || due) {
            schedule = times;
            next = DiskGcTime.next(times, now);
        }
        return due;
    }

    private boolean overfull(int most) throws IOException {
        long now = clock.nanos();
        if (most >= 100 || (looked && now - lookedAt < LOOK_NANOS)) {
            return false;
        }
        looked = true;
        lookedAt = now;
        long total = folder.totalBytes();
        return total - folder.usableBytes() > total / 100 * most;
    }

    private void begin(String why, long end) {
        target = end;
        reason = why;
        begunAt = clock.nanos();
        before = log.bytes();
        mostSteps = log.steps();
        segments = 0;
        carried = log.carried();
        removed = log.evicted;
        counters.collected(why);
        tell(true);
    }

    private void end() {
        target = NONE;
        Collected done = tell(false);
        if (done.segments() > 0 || reason.equals("command")) {
            messages.log(
                    DiskMessages.COLLECTED,
                    name,
                    done.reason(),
                    done.before(),
                    done.after(),
                    done.carried(),
                    done.removed(),
                    done.millis());
        }
    }

    /** The disk failed, or the tier ends: what was collected stays so. */
    void stop() {
        int percent = taken();
        if (target != NONE) {
            target = NONE;
            tell(false, true);
        } else if (percent != NOT_ASKED) {
            synchronized (lock) {
                report = report.notBegun();
            }
        }
    }

    private Collected tell(boolean running) {
        return tell(running, false);
    }

    private Collected tell(boolean running, boolean failed) {
        Collected now = new Collected(
                name,
                reason,
                running,
                failed,
                before,
                log.bytes(),
                segments,
                log.carried() - carried,
                log.evicted - removed,
                TimeUnit.NANOSECONDS.toMillis(clock.nanos() - begunAt));
        synchronized (lock) {
            // what was asked for meanwhile begins when this is over
            report = asked == NOT_ASKED ? now : report;
        }
        return now;
    }
}
