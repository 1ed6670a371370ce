package io.weir.server.log;

import io.weir.base.Clock;
import io.weir.base.Counter;
import io.weir.base.Durations;
import io.weir.base.IoReason;
import io.weir.base.Live;
import io.weir.base.Log;
import io.weir.base.LogMessage;
import io.weir.base.Severity;
import io.weir.base.Stats;
import io.weir.server.catalogue.ServerMessages;
import io.weir.server.catalogue.ServerStats;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The server log: levels per subsystem, repeated causes counted, one writer thread behind a bounded queue, so that a
 * slow disk never stops a muxer (messages that do not fit are dropped and counted). Shared; lives as long as the
 * server.
 */
public final class ServerLog implements Log, AutoCloseable {
    private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** A message whose text is complete; {@code barrier} is set instead by {@link #flush}. */
    private record Line(
            long millis,
            LogMessage message,
            String text,
            @Nullable CountDownLatch barrier) {}

    private final Live<LogConfig> config;
    private final Clock clock;
    private final Counter suppressed;
    private final Counter dropped;
    private final Counter rotations;
    private final Map<Severity, Counter> written = new EnumMap<>(Severity.class);
    private final PrintStream stdout;
    private final @Nullable LogFile file;
    private final Repeats repeats = new Repeats();
    private final ConcurrentLinkedQueue<Line> queue = new ConcurrentLinkedQueue<>();
    private final AtomicInteger queued = new AtomicInteger();
    private final Thread writer;
    private volatile LogLevels levels = LogLevels.of(Severity.INFO, List.of());
    private volatile boolean beside;
    private volatile boolean stdoutOpen = true;
    private volatile boolean closing;
    private long reportedDrops;
    private boolean fileBroken;

    /**
     * Starts the writer.
     *
     * @param config followed live
     * @param dataDir against which a relative file name is resolved
     * @param stdout for notices
     */
    public ServerLog(Live<LogConfig> config, Path dataDir, Clock clock, Stats stats, PrintStream stdout) {
        this.config = config;
        this.clock = clock;
        this.stdout = stdout;
        this.suppressed = stats.counter(ServerStats.LOG_SUPPRESSED);
        this.dropped = stats.counter(ServerStats.LOG_DROPPED);
        this.rotations = stats.counter(ServerStats.LOG_ROTATIONS);
        for (Severity s : Severity.values()) {
            written.put(s, stats.counter(ServerStats.LOG_LINES, s.name().toLowerCase(Locale.ROOT)));
        }
        String name = config.get().file();
        this.file = name.isEmpty() ? null : new LogFile(dataDir.resolve(name), dataDir);
        config.observe(c -> levels = LogLevels.of(c.level(), c.levels()));
        this.writer = Thread.ofPlatform().daemon().name("weir.log.Writer").start(this::write);
    }

    @Override
    public boolean wants(LogMessage message) {
        return levels.pass(message);
    }

    @Override
    public void log(LogMessage message, Object... arguments) {
        if (!levels.pass(message)) {
            return;
        }
        long interval = config.get().repeatInterval().toNanos();
        if (message.limited() && interval > 0) {
            long repeated = repeats.admit(message, clock.nanos(), interval, arguments);
            if (repeated == Repeats.SUPPRESS) {
                suppressed.inc();
                return;
            }
            if (repeated > 0) {
                offer(ServerMessages.LOG_REPEATED, repetition(message, repeated, String.valueOf(arguments[0])));
            }
        }
        offer(message, LogText.fill(message.text(), arguments));
    }

    /** Stops printing on standard output: the process runs in the background now. */
    public void closeStdout() {
        flush();
        stdoutOpen = false;
    }

    /** Waits until everything logged so far is written, at most ten seconds. */
    public void flush() {
        CountDownLatch done = new CountDownLatch(1);
        queue.add(new Line(0, ServerMessages.STARTED, "", done));
        LockSupport.unpark(writer);
        try {
            for (int i = 0; i < 100 && writer.isAlive() && !done.await(100, TimeUnit.MILLISECONDS); i++) {
                LockSupport.unpark(writer);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        closing = true;
        LockSupport.unpark(writer);
        try {
            writer.join(TimeUnit.SECONDS.toMillis(10));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void offer(LogMessage message, String text) {
        if (queued.incrementAndGet() > config.get().queue()) {
            queued.decrementAndGet();
            dropped.inc();
            return;
        }
        queue.add(new Line(clock.millis(), message, text, null));
        LockSupport.unpark(writer);
    }

    private void write() {
        while (true) {
            boolean last = closing;
            drain();
            repeats.sweep(
                    clock.nanos(), last ? 0 : config.get().repeatInterval().toNanos(), this::repeated);
            reportDrops();
            flushFile();
            if (last) {
                closeFile();
                return;
            }
            if (queue.isEmpty() && !closing) {
                LockSupport.parkNanos(this, IDLE_NANOS);
            }
        }
    }

    private void drain() {
        for (Line line = queue.poll(); line != null; line = queue.poll()) {
            if (line.barrier() != null) {
                flushFile();
                line.barrier().countDown();
            } else {
                queued.decrementAndGet();
                put(line.millis(), line.message(), line.text());
            }
        }
    }

    private static String sentence(String text) {
        return text.endsWith(".") ? text : text + ".";
    }

    /**
     * Sets whether another process writes the file, too: then it is not rotated, because the other would keep writing
     * into the old one.
     */
    public void beside(boolean another) {
        beside = another;
    }

    private void put(long millis, LogMessage message, String text) {
        boolean serious = message.severity().compareTo(Severity.WARNING) <= 0;
        String whole = serious && !message.remedy().isEmpty() ? sentence(text) + " " + message.remedy() : text;
        Objects.requireNonNull(written.get(message.severity())).inc();
        if (stdoutOpen && message.severity().compareTo(config.get().stdoutLevel()) <= 0) {
            stdout.print(LogText.plain(message, whole));
            stdout.flush();
        }
        LogFile f = file;
        if (f != null) {
            try {
                LogConfig c = config.get();
                long most = beside ? Long.MAX_VALUE : c.rotateSize().bytes();
                if (f.append(LogText.line(millis, message, whole), most, c.keep())) {
                    rotations.inc();
                }
                fileBroken = false;
            } catch (IOException e) {
                fileFailed(f, e);
            }
        }
    }

    private void flushFile() {
        LogFile f = file;
        if (f != null) {
            try {
                f.flush();
            } catch (IOException e) {
                fileFailed(f, e);
            }
        }
    }

    private void closeFile() {
        LogFile f = file;
        if (f != null) {
            try {
                f.close();
            } catch (IOException e) {
                fileFailed(f, e);
            }
        }
    }

    /** Reports it once, on standard output only; the next line tries to open the file again. */
    private void fileFailed(LogFile f, IOException e) {
        if (!fileBroken) {
            fileBroken = true;
            String text = LogText.fill(ServerMessages.LOG_FILE_FAILED.text(), f.path(), IoReason.ofFile(e));
            stdout.print(LogText.plain(
                    ServerMessages.LOG_FILE_FAILED, text + " " + ServerMessages.LOG_FILE_FAILED.remedy()));
            stdout.flush();
        }
    }

    private void repeated(LogMessage message, long count, String cause) {
        put(clock.millis(), ServerMessages.LOG_REPEATED, repetition(message, count, cause));
    }

    private String repetition(LogMessage message, long count, String cause) {
        return LogText.fill(
                ServerMessages.LOG_REPEATED.text(),
                LogText.id(message),
                count,
                Durations.format(config.get().repeatInterval()),
                cause);
    }

    private void reportDrops() {
        long now = dropped.value();
        if (now > reportedDrops) {
            String text = LogText.fill(
                    ServerMessages.LOG_DROPPED.text(),
                    now - reportedDrops,
                    config.get().queue());
            reportedDrops = now;
            put(clock.millis(), ServerMessages.LOG_DROPPED, text);
        }
    }
}
