package io.weir.lab.bench;

import java.util.Locale;

/** What is measured. */
enum Scenario {
    /** Answers from memory, Weir against peers. */
    HITS,
    /** Answers fetched from an origin on kept connections and streamed, caches off, Weir against peers. */
    MISSES,
    /** Memory of 10,000 idle keep-alive connections. */
    IDLE,
    /** 10,000 rules against 10. */
    ROUTES,
    /** Statistics collected against not. */
    STATISTICS,
    /** Misses in high-concurrency mode against low latency. */
    MODES;

    String key() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Whether peers take part. */
    boolean compares() {
        return this == HITS || this == MISSES || this == IDLE;
    }
}
