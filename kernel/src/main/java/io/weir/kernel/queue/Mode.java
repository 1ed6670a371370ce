package io.weir.kernel.queue;

/**
 * Where requests that are not completed on the muxer are started (the tuning guide, "Low Latency and High Concurrency
 * Modes").
 */
public enum Mode {
    /** On the muxer that read them. */
    LOW_LATENCY,
    /** Through a thread of the work manager. */
    HIGH_CONCURRENCY
}
