package io.weir.broker.config;

/** The order in which sends that wait for room are served. */
public enum QuotaPolicy {
    /** In order of arrival: a large request at the head holds back smaller ones behind it. */
    FIFO,
    /** A request that fits overtakes larger ones that arrived earlier. */
    PREEMPTIVE
}
