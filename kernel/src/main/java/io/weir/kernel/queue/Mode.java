package io.weir.kernel.queue;

/** How requests that do not end on the muxer are started (the tuning guide, "Low Latency and High Concurrency Modes"). */
public enum Mode {
    /** Where they were read. */
    LOW_LATENCY,
    /** After passing a thread of the default work manager. */
    HIGH_CONCURRENCY
}
