package io.weir.server.processes;

import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Notices workers that hang: each is probed several times within {@code server.hang-time-out} whether all of its muxers
 * make progress. Unanswered probes count, not time: a supervisor or a machine that was suspended wakes up to workers
 * that hang no more than it did. Confined to the supervisor's loop; lives as long as that.
 */
final class Pulse {
    /** Questions within the time-out. */
    private static final int BEATS = 5;

    /**
     * One that starts has at least so long, and one that is ready until it answered for the first time: on a busy
     * machine a virtual machine takes its time.
     */
    private static final long PATIENCE_MILLIS = 60_000;

    private static final long IDLE_MILLIS = 1000;

    private final EventLoop loop;
    private final Supplier<Duration> timeOut;
    private final Collection<Worker> living;
    private final Consumer<Worker> hung;

    /**
     * @param timeOut zero: disabled; read each time
     * @param hung takes each that has not answered for so long
     */
    Pulse(EventLoop loop, Supplier<Duration> timeOut, Collection<Worker> living, Consumer<Worker> hung) {
        this.loop = loop;
        this.timeOut = timeOut;
        this.living = living;
        this.hung = hung;
    }

    /** Begins; ends with the loop. */
    void start() {
        long millis = timeOut.get().toMillis();
        var _ = loop.schedule(this::beat, millis == 0 ? IDLE_MILLIS : interval(millis), TimeUnit.MILLISECONDS);
    }

    private static long interval(long millis) {
        return Math.max(1, millis / BEATS);
    }

    private void beat() {
        long millis = timeOut.get().toMillis();
        if (millis > 0) {
            long most = Math.max(BEATS, PATIENCE_MILLIS / interval(millis));
            for (Worker w : List.copyOf(living)) {
                if (w.unanswered() >= (w.proven() ? BEATS : most)) {
                    hung.accept(w);
                } else {
                    w.ask();
                }
            }
        }
        start();
    }
}
