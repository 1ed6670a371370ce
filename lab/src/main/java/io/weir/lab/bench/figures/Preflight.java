package io.weir.lab.bench.figures;

import io.weir.base.Clock;
import io.weir.lab.disk.ForceProbe;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The state of the machine before servers start. Immutable.
 *
 * @param spread relative difference between equal spins: (9th decile - 1st decile) / median
 * @param others share of all processors used by other programs
 * @param load load average of the last minute
 * @param forces forced writes (O_DSYNC) of 4 KiB a second, one after the other, in the folder where the servers write
 */
public record Preflight(double spread, double others, double load, double forces, int processors) {
    static final double MAX_SPREAD = 0.25;
    public static final double MAX_OTHERS = 0.10;
    private static final int SPINS = 100;
    private static final int WARM_SPINS = 30;
    private static final Duration FORCES = Duration.ofSeconds(1);

    /**
     * Measures for about four seconds.
     *
     * @param folder where the servers will write
     */
    public static Preflight measure(Path folder, Clock clock) throws IOException {
        double others = others(clock);
        return new Preflight(
                spread(spins(clock)),
                others,
                loadIn(Files.readString(Path.of("/proc/loadavg"))),
                ForceProbe.direct(folder, clock, FORCES).perSecond(),
                Runtime.getRuntime().availableProcessors());
    }

    /** Why no conclusion should be drawn; empty if the machine is quiet. */
    public List<String> reasons() {
        List<String> reasons = new ArrayList<>();
        if (processors < 2) {
            reasons.add("two processors are needed, there is one");
        }
        if (spread > MAX_SPREAD) {
            reasons.add("equal spins differ by more than " + percent(MAX_SPREAD));
        }
        if (others > MAX_OTHERS) {
            reasons.add("other programs use more than " + percent(MAX_OTHERS) + " of the processors");
        }
        if (load > processors) {
            reasons.add("the load average is above the number of processors");
        }
        return reasons;
    }

    public String text() {
        return String.format(
                Locale.ROOT,
                "machine: %d processors, load average %.2f, others use %s, equal spins differ by %s, %.0f forced writes/s",
                processors,
                load,
                percent(others),
                percent(spread),
                forces);
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%.0f %%", share * 100);
    }

    public static double loadIn(String loadavg) {
        return Double.parseDouble(loadavg.split(" ", 2)[0]);
    }

    /** (9th decile - 1st decile) / median. */
    public static double spread(double[] figures) {
        double[] sorted = figures.clone();
        Arrays.sort(sorted);
        double low = sorted[sorted.length / 10];
        double high = sorted[sorted.length - 1 - sorted.length / 10];
        return (high - low) / PairedRatio.median(sorted);
    }

    /** Busy and all ticks of the first line of {@code /proc/stat} (proc(5)): idle is the fourth, iowait the fifth. */
    public static long[] busyAndAll(String stat) {
        String[] words = stat.lines().findFirst().orElse("").split("\\s+", -1);
        long all = 0;
        // The guests' times, from the ninth on, are part of the first ones.
        for (int i = 1; i < Math.min(words.length, 9); i++) {
            all += Long.parseLong(words[i]);
        }
        return new long[] {all - Long.parseLong(words[4]) - Long.parseLong(words[5]), all};
    }

    /** Share of the processors in use during a second in which this process waits. */
    public static double others(Clock clock) throws IOException {
        long[] before = busyAndAll(Files.readString(Path.of("/proc/stat")));
        long until = clock.nanos() + TimeUnit.SECONDS.toNanos(1);
        for (long left = until - clock.nanos(); left > 0; left = until - clock.nanos()) {
            LockSupport.parkNanos(left);
        }
        long[] after = busyAndAll(Files.readString(Path.of("/proc/stat")));
        return (double) (after[0] - before[0]) / Math.max(1, after[1] - before[1]);
    }

    private static double[] spins(Clock clock) {
        double[] nanos = new double[SPINS];
        long sink = 0;
        for (int i = -WARM_SPINS; i < SPINS; i++) {
            long start = clock.nanos();
            sink += spin(sink);
            if (i >= 0) {
                // the sum is used, so that the compiler does not remove the loop; it is even, so nothing is added
                nanos[i] = clock.nanos() - start + (sink & 1);
            }
        }
        return nanos;
    }

    /** About ten milliseconds of work; the result is even. */
    private static long spin(long from) {
        long x = from | 1;
        for (int i = 0; i < 8_000_000; i++) {
            x = x * 6364136223846793005L + 1442695040888963407L;
        }
        return x << 1;
    }
}
