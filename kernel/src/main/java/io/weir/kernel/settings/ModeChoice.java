package io.weir.kernel.settings;

/** The configured mode of the kernel; {@link #AUTO} follows the Sun proxy's rule once a second. */
public enum ModeChoice {
    AUTO,
    LOW_LATENCY,
    HIGH_CONCURRENCY
}
