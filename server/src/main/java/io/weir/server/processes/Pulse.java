package io.weir.server.processes;

import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Detects workers that hang: each is probed several times within {@code server.hang-time-out} whether all of its muxers
 * make progress. Unanswered probes are counted, not time, so that the time of a suspended supervisor or machine does
 * not count. Confined to the supervisor's loop; lives as long as that.
 */
final class Pulse {
    /** Probes within the time-out. */
    private static final int BEATS = 5;

    /**
     * Minimum time-out of a worker that starts, or is ready but has not answered yet: on a busy machine a virtual
     * machine starts slowly.
     */
    private static final long PATIENCE_MILLIS = 60_000;

    private static final long IDLE_MILLIS = 1000;

    private final EventLoop loop;
    private final Supplier<Duration> timeOut;
    private final Collection<Worker> living;
    private final Consumer<Worker> hung;

    /**
     * @param timeOut zero: disabled; read each time
     * @param hung receives each worker that has not answered within the time-out
     */
    Pulse(EventLoop loop, Supplier<Duration> timeOut, Collection<Worker> living, Consumer<Worker> hung) {
        this.loop = loop;
        this.timeOut = timeOut;
        this.living = living;
        this.hung = hung;
    }

    /** Starts; ends with the loop. */
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
                    w.probe();
                }
            }
        }
        start();
    }
}
