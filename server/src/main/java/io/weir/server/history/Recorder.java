package io.weir.server.history;

import io.weir.base.Clock;
import io.weir.base.Log;
import io.weir.base.Stats;
import io.weir.server.catalogue.ServerMessages;
import io.weir.server.files.PrivateFiles;
import io.weir.server.history.Ring.Bounds;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Records all statistics: every {@code history.interval} in the short ring, every {@code history.long-interval} in the
 * long one. A failure only loses the row; it is counted, and logged once until it is over. Its thread is {@code
 * weir.history}; lives as long as the server.
 */
public final class Recorder implements AutoCloseable {
    /** The folder in the data directory. */
    public static final String FOLDER = "statistics";

    static final String SHORT = "short";
    static final String LONG = "long";
    private static final long END_MILLIS = 5000;

    /** A row to be written, with its ring. */
    private record Row(String ring, long millis, long covers, Map<SeriesKey, Long> values) {}

    private final Path folder;
    private final Supplier<HistoryConfig> config;
    private final Clock clock;
    private final Stats stats;
    private final Log log;
    private final Source source;
    private final Ring shortRing;
    private final Ring longRing;
    private final Means means = new Means();
    private final ScheduledThreadPoolExecutor thread = new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().daemon().name("weir.history").factory());
    private long lastShort;
    private long lastLong;
    private boolean failing;
    private volatile int series;
    private Map<SeriesKey, Long> latest = Map.of();

    /** The source of the values. */
    public interface Source {
        /** All current values, at most the given number. */
        Sweep sweep(int atMost) throws IOException;
    }

    /** Records the statistics of this process. */
    public Recorder(Path dataDir, Supplier<HistoryConfig> config, Clock clock, Stats stats, Log log) {
        this(dataDir, config, clock, stats, log, atMost -> Sweep.of(stats, atMost));
    }

    /** @param stats for its own counters */
    public Recorder(Path dataDir, Supplier<HistoryConfig> config, Clock clock, Stats stats, Log log, Source source) {
        this.source = source;
        this.folder = dataDir.resolve(FOLDER);
        this.config = config;
        this.clock = clock;
        this.stats = stats;
        this.log = log;
        this.shortRing = ring(SHORT);
        this.longRing = ring(LONG);
        this.lastLong = clock.millis();
        stats.gauge(HistoryStats.SERIES, () -> series);
        stats.begin(HistoryStats.ALL);
    }

    private Ring ring(String name) {
        Ring ring = new Ring(
                folder, name, stats.counter(HistoryStats.DROPPED)::inc, stats.counter(HistoryStats.DAMAGED)::inc);
        stats.gauge(HistoryStats.SIZE, ring::size, name);
        stats.counter(HistoryStats.ROWS, name);
        stats.counter(HistoryStats.FAILED, name);
        return ring;
    }

    /** Starts; the first row is due at the next multiple of the interval. */
    public void start() {
        next();
    }

    private void next() {
        long interval = config.get().interval().toMillis();
        var _ = thread.schedule(this::tick, interval - clock.millis() % interval, TimeUnit.MILLISECONDS);
    }

    private void tick() {
        try {
            record();
        } catch (RuntimeException e) {
            failed(SHORT, e);
        } finally {
            if (!thread.isShutdown()) {
                next();
            }
        }
    }

    /** Records everything now. */
    void record() {
        HistoryConfig now = config.get();
        if (!now.enabled()) {
            return;
        }
        Sweep sweep;
        try {
            sweep = source.sweep(now.maxSeries());
        } catch (IOException e) {
            failed(SHORT, e);
            return;
        }
        stats.counter(HistoryStats.REFUSED).add(sweep.refused());
        latest = sweep.row();
        series = latest.size();
        means.take(latest);
        long millis = clock.millis();
        lastShort = millis;
        boolean whole = write(new Row(SHORT, millis, now.interval().toMillis(), latest), now.keep(), now);
        long step = now.longInterval().toMillis();
        if (Math.floorDiv(millis, step) != Math.floorDiv(lastLong, step)) {
            whole &= longRow(millis, now);
        }
        if (whole && failing) {
            failing = false;
            log.log(ServerMessages.HISTORY_RESUMED, folder);
        }
    }

    private boolean longRow(long millis, HistoryConfig now) {
        long covers = Math.clamp(millis - lastLong, 1, now.longInterval().toMillis());
        lastLong = millis;
        return write(new Row(LONG, millis, covers, means.row(latest)), now.longKeep(), now);
    }

    private boolean write(Row row, Duration keep, HistoryConfig now) {
        Ring ring = row.ring().equals(SHORT) ? shortRing : longRing;
        try {
            PrivateFiles.folder(folder);
            Bounds bounds = new Bounds(keep.toMillis(), now.maxSize().bytes() / 2);
            ring.append(row.millis(), row.covers(), row.values(), bounds);
            stats.counter(HistoryStats.ROWS, row.ring()).inc();
            return true;
        } catch (IOException e) {
            failed(row.ring(), e);
            return false;
        }
    }

    private void failed(String name, Exception e) {
        stats.counter(HistoryStats.FAILED, name).inc();
        if (!failing) {
            failing = true;
            log.log(ServerMessages.STATISTICS_FAILED, folder, e);
        }
    }

    /** Records the time since the latest row of the long ring, and ends. */
    @Override
    public void close() throws IOException {
        // what is being written is written: an interrupt would close its file
        thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        thread.shutdown();
        try {
            if (!thread.awaitTermination(END_MILLIS, TimeUnit.MILLISECONDS)) {
                return;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return;
        }
        if (clock.millis() > lastShort) {
            record();
        }
        if (config.get().enabled() && clock.millis() > lastLong) {
            longRow(clock.millis(), config.get());
        }
        shortRing.close();
        longRing.close();
    }
}
