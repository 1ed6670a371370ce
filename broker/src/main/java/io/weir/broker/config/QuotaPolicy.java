package io.weir.broker.config;

/** In which order senders that wait for room are served. */
public enum QuotaPolicy {
    /** Strictly in order: a large request at the head holds back smaller ones behind it. */
    FIFO,
    /** A request that fits passes larger ones that came earlier. */
    PREEMPTIVE
}
