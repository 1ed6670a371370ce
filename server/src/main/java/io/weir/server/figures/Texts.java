package io.weir.server.figures;

import java.util.Locale;

/** How perfdump writes times and ticks. Stateless. */
public final class Texts {
    /** Nanoseconds in a tick of stats-xml, a microsecond. */
    public static final long NANOS_PER_TICK = 1000;

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
}
