package io.weir.kernel.connection;

import io.netty.util.internal.PlatformDependent;
import io.weir.base.Log;
import io.weir.base.Stats;
import io.weir.kernel.settings.KernelContext;
import io.weir.kernel.settings.KernelLimits;
import io.weir.kernel.settings.KernelMessages;
import io.weir.kernel.settings.KernelStats;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.DoubleSupplier;
import java.util.function.IntSupplier;

/**
 * How near the kernel is to the end of what slow clients hold: connections that are not idle, memory for what they have not
 * taken, and what others add. Up to a half of it each has the time that is configured; from there on, step by step, pauses
 * get shorter and least rates higher, so that those who use what they hold keep it. Shared; looked at once a second.
 */
public final class Pressure {
    /** Above none: from half full to full. */
    public static final int STEPS = 8;

    private static final double FREE = 0.5;
    /** Each second step halves the time, each step doubles the rate. */
    private static final int HALVE = 2;
    /** Of the memory for I/O: the rest is for what moves. */
    private static final int PART = 4;
    /** Who is slow is looked at again at least so often, since the time that it has may have become shorter. */
    private static final Duration LOOK = Duration.ofSeconds(5);

    private final IntSupplier busy;
    private final KernelLimits limits;
    private final Log log;
    private final boolean logged;
    private final LongAdder unsent = new LongAdder();
    private final List<DoubleSupplier> others = new CopyOnWriteArrayList<>();
    private final long memory = PlatformDependent.maxDirectMemory() / PART;
    private volatile int step;

    /**
     * What slow clients hold.
     *
     * @param busy connections that do not wait for their client's next request
     * @param logged whether it is logged that there is any
     */
    Pressure(IntSupplier busy, KernelLimits limits, KernelContext kernel, boolean logged) {
        this.busy = busy;
        this.limits = limits;
        this.log = kernel.log();
        this.logged = logged;
        Stats stats = kernel.stats();
        stats.gauge(KernelStats.PRESSURE, () -> step);
        stats.gauge(KernelStats.UNSENT, unsent::sum);
    }

    /** Something else that slow clients fill: 0 when it is empty, 1 when it is full. Called by any thread. */
    public void also(DoubleSupplier part) {
        others.add(part);
    }

    /** So much more, or less, waits for clients that do not take it. */
    void unsent(long bytes) {
        unsent.add(bytes);
    }

    /** Once a second. */
    public void second() {
        double held = busy.getAsInt() / (double) Math.max(1, limits.maxConnections());
        double full = Math.max(held, unsent.sum() / (double) memory);
        for (DoubleSupplier other : others) {
            full = Math.max(full, other.getAsDouble());
        }
        int before = step;
        int now = Math.clamp((long) Math.ceil((full - FREE) * STEPS / (1 - FREE)), 0, STEPS);
        step = now;
        if (logged && before == 0 && now > 0) {
            log.log(KernelMessages.PRESSURE, Math.round(full * 100));
        }
    }

    /** 0 for none, to {@link #STEPS}. */
    public int step() {
        return step;
    }

    /** What is left of a time, nanoseconds, that a client may take. */
    public long time(long nanos) {
        return Math.max(1, nanos >> (step / HALVE));
    }

    /** A least rate as it is now; none stays none. */
    public long rate(long bytesASecond) {
        return bytesASecond << step;
    }

    /** How long to wait at most until a slow client is looked at again. */
    public static long look(long nanos) {
        return Math.clamp(nanos, 1, LOOK.toNanos());
    }
}
