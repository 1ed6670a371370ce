package io.weir.server.monitor;

import io.weir.base.StatSpec;

/** The bucket bounds of distributions, for Prometheus and for the history. Stateless. */
public final class Buckets {
    private static final long MICRO = 1000;
    private static final long MILLI = 1000 * MICRO;
    private static final long SECOND = 1000 * MILLI;

    private static final long[] NANOS = {
        100 * MICRO,
        250 * MICRO,
        500 * MICRO,
        MILLI,
        2500 * MICRO,
        5 * MILLI,
        10 * MILLI,
        25 * MILLI,
        50 * MILLI,
        100 * MILLI,
        250 * MILLI,
        500 * MILLI,
        SECOND,
        2500 * MILLI,
        5 * SECOND,
        10 * SECOND,
        30 * SECOND,
        60 * SECOND
    };
    private static final long[] BYTES = {
        256, 1024, 4096, 16384, 65536, 262_144, 1_048_576, 4_194_304, 16_777_216, 67_108_864, 268_435_456, 1_073_741_824
    };
    private static final long[] COUNTS = {1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 100_000};

    private Buckets() {}

    /** The bounds of a distribution, ascending, in its unit. */
    public static long[] of(StatSpec spec) {
        return switch (spec.unit()) {
            case "nanoseconds" -> NANOS.clone();
            case "bytes" -> BYTES.clone();
            default -> COUNTS.clone();
        };
    }
}
