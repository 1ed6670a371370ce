package io.weir.kernel;

/** What the operator wants of the kernel's mode; {@link #AUTO} follows the seed's rule once a second. */
public enum ModeChoice {
    AUTO,
    LOW_LATENCY,
    HIGH_CONCURRENCY
}
