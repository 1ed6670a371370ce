package io.weir.server.figures;

import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** How views write times, ticks and parts of a whole. Stateless. */
public final class Texts {
    /** A tick of stats-xml: coarser ones would show the shortest queueing delays as none. */
    public static final TimeUnit TICK = TimeUnit.MICROSECONDS;

    private static final double NANOS_PER_MILLI = 1e6;

    private Texts() {}

    /** Milliseconds with three digits behind the point, without a unit. */
    public static String millis(long nanos) {
        return millis((double) nanos);
    }

    /** Milliseconds with three digits behind the point, without a unit. */
    public static String millis(double nanos) {
        return String.format(Locale.ROOT, "%.3f", nanos / NANOS_PER_MILLI);
    }

    /** A decimal of stats-xml. */
    public static String decimal(double value) {
        return String.format(Locale.ROOT, "%.4f", value);
    }

    /** A part of a whole as perfdump writes it: {@code 3/4 ( 75.00%)}; of nothing it is 0 percent. */
    public static String ratio(long part, long whole) {
        double percent = whole == 0 ? 0 : part * 100.0 / whole;
        return String.format(Locale.ROOT, "%d/%d (%6.2f%%)", part, whole, percent);
    }
}
