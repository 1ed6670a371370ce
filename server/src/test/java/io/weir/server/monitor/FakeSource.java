package io.weir.server.monitor;

import io.weir.server.figures.cluster.ClusterFigures;
import io.weir.server.figures.messaging.MessagingFigures;
import io.weir.server.figures.origins.OriginFigures;
import io.weir.server.figures.tls.TlsFigures;
import io.weir.server.figures.work.WorkFigures;
import io.weir.server.monitor.source.Facts;
import io.weir.server.monitor.source.MonitorSource;
import io.weir.server.monitor.source.TrafficFigures;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A source whose figures a test sets: at first the ones of the Sun proxy's samples. */
final class FakeSource implements MonitorSource {
    Facts.Identity identity = new Facts.Identity(
            "weir-1",
            "Weir",
            "0.1.0",
            "11/21/2026 00:00",
            "Linux amd64",
            4711,
            1_225_962_001_000L,
            1_225_962_001_000L,
            1,
            128);
    Facts.Phase phase = Facts.Phase.RUNNING;
    List<Facts.Check> checks = List.of();
    Facts.Queue queue = new Facts.Queue(
            0, 1853, 160_032, 425_723, 11_222_922, 0, 53_892_842_740_000L, new Facts.Averages(90.35, 89.64, 54.02));
    List<Facts.Listener> listeners = List.of(new Facts.Listener("ls1", "0.0.0.0:2014", "https", 1, "https-test", true));
    Facts.KeepAlive keepAlive = new Facts.KeepAlive(198, 200, 0, 0, 56_844_280, 365_589, 10);
    Facts.Sessions sessions = new Facts.Sessions(1, 0, 48, 128);
    List<Facts.SessionRow> rows = List.of();
    Facts.Cache cache = new Facts.Cache(
            true,
            141,
            120,
            1024,
            7,
            160,
            36_064,
            10_735_636,
            30,
            652,
            12,
            37,
            50,
            300,
            9,
            281,
            247,
            328,
            131,
            144,
            3,
            4,
            5,
            2,
            152,
            524_288,
            2053,
            true);
    List<Facts.CacheEntry> entries = List.of();
    Facts.DiskCache diskCache = Facts.DiskCache.NONE;
    List<Facts.DiskPartition> diskPartitions = List.of();
    Facts.MemberCaches memberCaches = Facts.MemberCaches.NONE;
    List<Facts.Pool> pools = List.of(
            new Facts.Pool("NativePool", 1, 1, 1, 128, 0, 0, 0, 77, 0, 0, 0, 1),
            new Facts.Pool("my-custom-pool", 1, 2, 3, 128, 4, 5, 60, 88, 6, 1, 2, 1));
    WorkFigures work = WorkFigures.NONE;
    List<TlsFigures> tls = List.of();
    Facts.Http2 http2 = Facts.Http2.NONE;
    Facts.Dns hostDns = new Facts.Dns(true, 12, 1024, 30, 10, false, 0, 0, 0);
    Facts.Dns clientDns = Facts.Dns.NONE;
    List<Facts.Bucket> buckets = new ArrayList<>(List.of(new Facts.Bucket(
            "default-bucket",
            "Default bucket",
            62_647_125,
            3_374_170_785L,
            47_998_250_000_000L,
            2_099_689_000_000_000L)));
    Facts.Requests requests = new Facts.Requests(
            "GET",
            "/index.html",
            62_647_125,
            1000,
            2000,
            3,
            4,
            null,
            2_147_687_250_000_000L,
            (first, last) -> first <= 404 && 404 <= last ? 7 : 0);
    List<Facts.VirtualServer> servers = List.of(new Facts.VirtualServer(
            "https-test", true, List.of("www.example.com"), List.of("0.0.0.0:2014"), requests, List.of()));

    /** Null at first: no messaging. */
    @Nullable
    MessagingFigures messaging;

    /** Null at first: no cluster. */
    @Nullable
    ClusterFigures cluster;

    List<TrafficFigures> traffic = List.of();
    List<OriginFigures> origins = List.of();

    @Override
    public List<OriginFigures> origins() {
        return origins;
    }

    @Override
    public List<TrafficFigures> traffic(int clients) {
        return traffic;
    }

    @Override
    public @Nullable ClusterFigures cluster() {
        return cluster;
    }

    /** Three members, one of them gone, with two singletons and a timer. */
    static ClusterFigures someCluster() {
        return new ClusterFigures(
                new ClusterFigures.Totals(
                        "works",
                        "alpha",
                        "consensus",
                        "",
                        "follower",
                        "beta",
                        7,
                        1200,
                        1210,
                        2,
                        3,
                        3,
                        1,
                        900,
                        4,
                        2,
                        11,
                        5,
                        6,
                        1_500_000,
                        9_000_000,
                        12_000_000),
                List.of(
                        new ClusterFigures.Member("alpha", "live", true, false, false, "10.0.0.1:7001", -1, "1a2b"),
                        new ClusterFigures.Member("beta", "live", false, true, false, "10.0.0.2:7001", 0, "3c4d"),
                        new ClusterFigures.Member("gamma", "gone", false, false, true, "10.0.0.3:7001", 812, "5e6f")),
                List.of(
                        new ClusterFigures.Lease("member/alpha", "alpha", "1.17", 6500, false, 2),
                        new ClusterFigures.Lease("singleton/counter", "beta", "1.1100", 8200, true, 9),
                        new ClusterFigures.Lease("singleton/poller", "beta", "1.1101", -1, false, 1)),
                List.of(
                        new ClusterFigures.Singleton(
                                "counter",
                                "active",
                                "beta",
                                "alpha",
                                "1.1100",
                                "the lease of gamma expired",
                                2_500_000),
                        new ClusterFigures.Singleton("poller", "failed", "", "", "", "threw <x>\n", 0)),
                List.of(new ClusterFigures.Timer(
                        "night",
                        "0 3 * * *",
                        "Europe/Berlin",
                        "2026-11-21T02:00:00Z",
                        "2026-11-22T02:00:00Z",
                        12,
                        false,
                        "")));
    }

    @Override
    public @Nullable MessagingFigures messaging() {
        return messaging;
    }

    /** Messaging with a little of everything. */
    static MessagingFigures someMessaging() {
        return messaging(
                List.of(destination("queue/demo", 3, 0), destination("topic/<news>", 0, 12)),
                List.of(new MessagingFigures.Session(
                        0x1a2b, 1, "joe", "till-7", "10.0.0.1:4000", "client", 10, 10, true, 12, 2, 1, 7, true, 0)));
    }

    static MessagingFigures messaging(
            List<MessagingFigures.Destination> destinations, List<MessagingFigures.Session> sessions) {
        return new MessagingFigures(
                new MessagingFigures.Totals(
                        1,
                        sessions.size(),
                        1,
                        7,
                        2,
                        5,
                        4,
                        9,
                        3,
                        6,
                        8,
                        new MessagingFigures.Temporaries(40, 30, 200, 20, 3000, 20_000, 2000),
                        List.of(3)),
                destinations,
                new MessagingFigures.Journal(
                        "messages",
                        null,
                        1000,
                        512_000,
                        40,
                        80_000_000,
                        1_500_000,
                        9_000_000,
                        12_000_000,
                        3,
                        4_000_000,
                        1_000_000,
                        77,
                        2,
                        11,
                        5,
                        1),
                List.of(new MessagingFigures.Connection(
                        0x1a2b, "joe", "till-7", "10.0.0.1:4000", true, 1, 1, 12, 4, 99, 0)),
                sessions);
    }

    static MessagingFigures.Destination destination(String name, long messages, long stale) {
        return new MessagingFigures.Destination(
                name,
                new MessagingFigures.Amounts(messages, 50, 900, 7, 2),
                new MessagingFigures.Amounts(messages * 100, 5000, 90_000, 700, 200),
                2,
                1,
                "server",
                6,
                890,
                880,
                4,
                5,
                1,
                0,
                false,
                false,
                stale > 0,
                stale);
    }

    @Override
    public Facts.Identity identity() {
        return identity;
    }

    @Override
    public Facts.Phase phase() {
        return phase;
    }

    @Override
    public List<Facts.Check> checks() {
        return checks;
    }

    @Override
    public Facts.Queue queue() {
        return queue;
    }

    @Override
    public List<Facts.Listener> listeners() {
        return listeners;
    }

    @Override
    public Facts.KeepAlive keepAlive() {
        return keepAlive;
    }

    @Override
    public Facts.Sessions sessions() {
        return sessions;
    }

    @Override
    public List<Facts.SessionRow> sessionRows(int limit) {
        return rows.subList(0, Math.min(limit, rows.size()));
    }

    @Override
    public Facts.Cache cache() {
        return cache;
    }

    @Override
    public List<Facts.CacheEntry> cacheEntries(int limit) {
        return entries.subList(0, Math.min(limit, entries.size()));
    }

    @Override
    public List<Facts.DiskPartition> diskPartitions() {
        return diskPartitions;
    }

    @Override
    public Facts.MemberCaches memberCaches() {
        return memberCaches;
    }

    @Override
    public Facts.DiskCache diskCache() {
        return diskCache;
    }

    @Override
    public List<Facts.Pool> pools() {
        return pools;
    }

    @Override
    public List<TlsFigures> tls() {
        return tls;
    }

    @Override
    public Facts.Http2 http2() {
        return http2;
    }

    @Override
    public WorkFigures work() {
        return work;
    }

    @Override
    public Facts.Dns hostDns() {
        return hostDns;
    }

    @Override
    public Facts.Dns clientDns() {
        return clientDns;
    }

    @Override
    public List<Facts.Bucket> buckets() {
        return buckets;
    }

    @Override
    public List<Facts.VirtualServer> virtualServers() {
        return servers;
    }
}
