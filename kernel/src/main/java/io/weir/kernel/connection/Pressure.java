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
 * How full the resources are that slow clients occupy: non-idle connections, memory for unsent responses, and resources
 * registered by others. Up to half full, each client has its configured time; above that, step by step, time-outs get
 * shorter and minimum rates higher, so that clients that make progress keep their resources. Shared; updated once a
 * second.
 */
public final class Pressure {
    /** Number of steps above zero: from half full to full. */
    public static final int STEPS = 8;

    private static final double FREE = 0.5;
    /** Every second step halves the time, every step doubles the rate. */
    private static final int HALVE = 2;
    /** Divisor of the I/O memory: a quarter may hold unsent data, the rest is for active traffic. */
    private static final int PART = 4;
    /** A slow client is checked at least this often, because its time may have become shorter. */
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
     * Creates the measure.
     *
     * @param busy number of connections that do not wait for their client's next request
     * @param logged whether the start of pressure is logged
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

    /**
     * Adds another resource that slow clients fill: 0 when empty, 1 when full. The supplier is called by any thread.
     */
    public void also(DoubleSupplier part) {
        others.add(part);
    }

    /** Adds to (or, if negative, subtracts from) the bytes that wait for clients. */
    void unsent(long bytes) {
        unsent.add(bytes);
    }

    /** Recomputes the step; called once a second. */
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

    /** The current step: 0 for no pressure, up to {@link #STEPS}. */
    public int step() {
        return step;
    }

    /** Scales a client's time limit, in nanoseconds, to the current step. */
    public long time(long nanos) {
        return Math.max(1, nanos >> (step / HALVE));
    }

    /** Scales a minimum rate to the current step; 0 stays 0. */
    public long rate(long bytesASecond) {
        return bytesASecond << step;
    }

    /** Bounds the time until a slow client is checked again, in nanoseconds. */
    public static long look(long nanos) {
        return Math.clamp(nanos, 1, LOOK.toNanos());
    }
}
