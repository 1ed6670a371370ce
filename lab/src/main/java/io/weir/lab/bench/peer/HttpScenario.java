package io.weir.lab.bench.peer;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/** The scenarios of the HTTP benchmark. */
public enum HttpScenario {
    /** Answers from memory, Weir against peers. */
    HITS,
    /** Answers fetched from an origin on kept connections and streamed, caches off, Weir against peers. */
    MISSES,
    /** Hits on kept connections under TLS 1.3. */
    TLS,
    /** A TLS handshake and a hit on each connection. */
    HANDSHAKES,
    /** Hits on kept connections against a connection for each, as in HTTP/1.0. */
    CONNECTIONS,
    /** Latency of hits at a steady rate, half of the best peer's peak. */
    LATENCY,
    /** The same of misses. */
    LATENCY_MISSES,
    /** Latency of hits over HTTP/2 under TLS. */
    LATENCY_H2,
    /** The same of misses. */
    LATENCY_H2_MISSES,
    /** What the collectors of the JVM cost, at two sizes of the heap. */
    COLLECTORS,
    /** Memory of idle keep-alive connections. */
    IDLE,
    /** 10,000 rules against 10. */
    ROUTES,
    /** Statistics collected against not. */
    STATISTICS,
    /** Hits with a performance bucket whose calls are counted against not. */
    BUCKETS,
    /** The same of misses. */
    BUCKETS_MISSES,
    /** Misses in high-concurrency mode against low latency. */
    MODES,
    /** Misses of quick clients beside 2,000 slow ones of all kinds. */
    HOSTILE;

    public String key() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Peers that can take part. */
    public Set<Peer> peers() {
        return switch (this) {
            case HITS, MISSES, CONNECTIONS, LATENCY, LATENCY_MISSES, IDLE -> EnumSet.allOf(Peer.class);
            case TLS, HANDSHAKES, LATENCY_H2, LATENCY_H2_MISSES, HOSTILE -> EnumSet.of(Peer.NGINX, Peer.HAPROXY);
            case ROUTES, STATISTICS, BUCKETS, BUCKETS_MISSES, MODES, COLLECTORS -> EnumSet.noneOf(Peer.class);
        };
    }

    /** Whether one kind of request is measured, so that another build can take part. */
    public boolean exchanges() {
        return this == HITS || this == MISSES || this == TLS || this == HANDSHAKES;
    }

    /** Whether answers come from the caches. */
    public boolean caches() {
        return switch (this) {
            case MISSES, LATENCY_MISSES, LATENCY_H2_MISSES, BUCKETS_MISSES, MODES -> false;
            default -> true;
        };
    }

    public boolean secure() {
        return this == TLS || this == HANDSHAKES || this == HOSTILE || http2();
    }

    /** Whether requests come over HTTP/2. */
    public boolean http2() {
        return this == LATENCY_H2 || this == LATENCY_H2_MISSES;
    }

    /** Whether times are measured at a steady rate that is half of the best peer's peak. */
    public boolean latency() {
        return this == LATENCY || this == LATENCY_MISSES || http2();
    }

    /** Whether its rate can be chosen. */
    public boolean steady() {
        return latency() || this == COLLECTORS || this == HOSTILE;
    }

    /** Whether requests come from wrk or h2load, and answers from an nginx; otherwise from Weir's own programs. */
    public boolean wrk() {
        return this != HOSTILE;
    }
}
