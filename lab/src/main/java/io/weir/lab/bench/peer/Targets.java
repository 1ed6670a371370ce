package io.weir.lab.bench.peer;

import java.util.List;
import java.util.Map;

/** The project's targets: upper bounds of the processor time of a request relative to a peer's. Constants. */
public final class Targets {
    /** 10,000 rules against 10. */
    public static final double ROUTES = 1.05;
    /** This build against another one. */
    public static final double NO_DEARER = 1.02;
    /** Statistics collected against not. */
    public static final double STATISTICS = 1.01;
    /** Calls counted in a performance bucket against not. */
    public static final double BUCKETS = 1.01;
    /** Bytes of server memory of an idle keep-alive connection. */
    public static final double IDLE_BYTES = 4096;

    private static final Map<Peer, List<Double>> SMALL_HITS = Map.of(
            Peer.HAPROXY, List.of(0.8),
            Peer.NGINX, List.of(0.6),
            Peer.VARNISH, List.of(0.4),
            Peer.SQUID, List.of(0.3));
    private static final Map<Peer, List<Double>> LARGE_HITS =
            Map.of(Peer.HAPROXY, List.of(0.8), Peer.NGINX, List.of(0.75));
    /** In the order in which they are to be reached. */
    private static final Map<Peer, List<Double>> MISSES = Map.of(Peer.NGINX, List.of(1.2, 1.0));

    private static final Map<Peer, List<Double>> TLS_HITS = Map.of(Peer.NGINX, List.of(1.2));
    /** Nine tenths of the handshakes in the same processor time. */
    private static final Map<Peer, List<Double>> HANDSHAKES = Map.of(Peer.NGINX, List.of(1.11));

    /** The 99.9th percentile at half of the peak against the best peer's. */
    public static final double TAIL = 1.0;

    /** The 99th percentile of quick clients beside slow ones against the same without them. */
    public static final double BESIDE = 3;
    /** Memory of a server beside slow clients in later rounds against earlier ones. */
    public static final double FLAT = 1.1;

    private Targets() {}

    /** The targets against a peer, in the order in which they are to be reached; empty if none are set. */
    public static List<Double> against(Peer peer, HttpScenario scenario, Size size) {
        Map<Peer, List<Double>> bounds = switch (scenario) {
            case HITS -> size == Size.ONE ? SMALL_HITS : LARGE_HITS;
            case MISSES -> MISSES;
            case TLS -> TLS_HITS;
            case HANDSHAKES -> HANDSHAKES;
            case CONNECTIONS,
                    LATENCY,
                    LATENCY_MISSES,
                    LATENCY_H2,
                    LATENCY_H2_MISSES,
                    COLLECTORS,
                    IDLE,
                    ROUTES,
                    STATISTICS,
                    BUCKETS,
                    BUCKETS_MISSES,
                    MODES,
                    HOSTILE -> Map.of();
        };
        return bounds.getOrDefault(peer, List.of());
    }
}
