package io.weir.kernel.settings;

/** What the operator wants of the kernel's mode; {@link #AUTO} follows the Sun proxy's rule once a second. */
public enum ModeChoice {
    AUTO,
    LOW_LATENCY,
    HIGH_CONCURRENCY
}
