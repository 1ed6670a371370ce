package io.weir.server.monitor;

import io.weir.server.figures.origins.OriginFigures;
import io.weir.server.figures.tls.TlsFigures;
import io.weir.server.figures.work.WorkFigures;
import io.weir.server.monitor.source.Facts;
import io.weir.server.monitor.source.Merged;
import io.weir.server.monitor.source.MonitorSource;
import io.weir.server.monitor.source.TrafficFigures;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * The figures that a process sends to another: those of its perfdump at one moment, without messaging and the cluster.
 * Immutable.
 *
 * @param collecting whether statistics are collected
 * @param rows requests in handling
 * @param requests so far
 * @param nanos sum of all request processing times
 */
public record Snapshot(
        boolean collecting,
        Facts.Identity identity,
        Facts.Queue queue,
        List<Facts.Listener> listeners,
        Facts.KeepAlive keepAlive,
        Facts.Http2 http2,
        Facts.Sessions sessions,
        List<Facts.SessionRow> rows,
        Facts.Cache cache,
        Facts.DiskCache diskCache,
        List<Facts.DiskPartition> diskPartitions,
        Facts.MemberCaches memberCaches,
        List<Facts.Pool> pools,
        WorkFigures work,
        List<TlsFigures> tls,
        List<TrafficFigures> traffic,
        Facts.Dns hostDns,
        Facts.Dns clientDns,
        List<OriginFigures> origins,
        List<Facts.Bucket> buckets,
        long requests,
        long nanos)
        implements MonitorSource {
    public Snapshot {
        // a process of an older version, in an upgrade, does not tell
        diskPartitions = Objects.requireNonNullElse(diskPartitions, List.of());
        memberCaches = Objects.requireNonNullElse(memberCaches, Facts.MemberCaches.NONE);
    }

    /** Loaded at the first use: a single process never needs it. */
    private static final class Mapper {
        static final JsonMapper JSON = JsonMapper.builder()
                .disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
                .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .build();
    }

    static Snapshot of(MonitorSource source, boolean collecting) {
        long pid = source.identity().pid();
        List<Facts.VirtualServer> servers = source.virtualServers();
        return new Snapshot(
                collecting,
                source.identity(),
                source.queue(),
                source.listeners(),
                source.keepAlive(),
                source.http2(),
                source.sessions(),
                source.sessionRows(Perfdump.MAX_SESSIONS).stream()
                        .map(r -> r.of(pid))
                        .toList(),
                source.cache(),
                source.diskCache(),
                source.diskPartitions(),
                source.memberCaches(),
                source.pools(),
                source.work(),
                source.tls(),
                source.traffic(TrafficFigures.CLIENTS),
                source.hostDns(),
                source.clientDns(),
                source.origins(),
                source.buckets(),
                servers.stream().mapToLong(v -> v.requests().count()).sum(),
                servers.stream().mapToLong(v -> v.requests().nanos()).sum());
    }

    /** The snapshot of several processes: figures that can be added are summed. */
    static Snapshot sum(List<Snapshot> all) {
        List<Facts.SessionRow> rows = new ArrayList<>();
        all.forEach(s -> rows.addAll(s.rows()));
        Snapshot sum = Merged.of(all);
        return new Snapshot(
                sum.collecting,
                sum.identity,
                sum.queue,
                sum.listeners,
                sum.keepAlive,
                sum.http2,
                sum.sessions,
                rows,
                sum.cache,
                sum.diskCache,
                sum.diskPartitions,
                sum.memberCaches,
                sum.pools,
                sum.work,
                sum.tls,
                sum.traffic,
                sum.hostDns,
                sum.clientDns,
                sum.origins,
                sum.buckets,
                sum.requests,
                sum.nanos);
    }

    /** What a process sends for {@code /traffic}. Immutable. */
    public record Traffic(List<TrafficFigures> figures) {
        private static final String CLIENT = "client";

        private static final Comparator<TrafficFigures> BUSIEST = Comparator.comparingLong(
                        (TrafficFigures f) -> f.byteRate().now())
                .thenComparingLong(TrafficFigures::bytes)
                .reversed();

        public Traffic {
            figures = List.copyOf(figures);
        }

        static String json(List<TrafficFigures> figures) {
            return Mapper.JSON.writeValueAsString(new Traffic(figures));
        }

        /** Those of several processes; of the clients only the busiest. */
        static List<TrafficFigures> sum(List<String> all, int clients) {
            List<TrafficFigures> sum = Merged.of(all.stream()
                            .map(text -> Mapper.JSON.readValue(text, Traffic.class))
                            .toList())
                    .figures();
            List<TrafficFigures> kept = new ArrayList<>(
                    sum.stream().filter(f -> !f.scope().equals(CLIENT)).toList());
            sum.stream()
                    .filter(f -> f.scope().equals(CLIENT))
                    .sorted(BUSIEST)
                    .limit(clients)
                    .forEach(kept::add);
            return kept;
        }
    }

    /**
     * What a process sends for {@code /nsc}. Immutable.
     *
     * @param listed whether entries were wanted
     */
    public record CacheState(
            String product, long pid, Facts.Cache cache, boolean listed, List<Facts.CacheEntry> entries) {
        public CacheState {
            entries = List.copyOf(entries);
        }

        static String of(MonitorSource source, int listed) {
            Facts.Identity id = source.identity();
            return Mapper.JSON.writeValueAsString(new CacheState(
                    id.product(),
                    id.pid(),
                    source.cache(),
                    listed > 0,
                    listed > 0 ? source.cacheEntries(listed) : List.of()));
        }

        /** The page of several processes; entries of each in turn, so that none is left out. */
        static String page(List<String> all, int listed) {
            List<CacheState> states = all.stream()
                    .map(text -> Mapper.JSON.readValue(text, CacheState.class))
                    .toList();
            List<Facts.CacheEntry> entries = new ArrayList<>();
            int most = states.stream().mapToInt(s -> s.entries().size()).max().orElse(0);
            for (int i = 0; i < most; i++) {
                for (CacheState s : states) {
                    if (i < s.entries().size() && entries.size() < listed) {
                        entries.add(s.entries().get(i));
                    }
                }
            }
            return new CachePage(ZoneId.systemDefault())
                    .write(
                            states.getFirst().product(),
                            states.stream().map(CacheState::pid).toList(),
                            Merged.of(states.stream().map(CacheState::cache).toList()),
                            listed == 0 ? null : entries);
        }
    }

    /** Encodes it for another process. */
    String json() {
        return Mapper.JSON.writeValueAsString(this);
    }

    /** Decodes that of another process. */
    public static Snapshot parse(String json) {
        return Mapper.JSON.readValue(json, Snapshot.class);
    }

    @Override
    public Facts.Phase phase() {
        return Facts.Phase.RUNNING;
    }

    @Override
    public List<Facts.SessionRow> sessionRows(int limit) {
        return rows.subList(0, Math.min(limit, rows.size()));
    }

    @Override
    public List<TrafficFigures> traffic(int clients) {
        return traffic;
    }

    @Override
    public List<Facts.VirtualServer> virtualServers() {
        Facts.Requests all = new Facts.Requests(null, null, requests, 0, 0, 0, 0, null, nanos, Facts.Statuses.NONE);
        return List.of(new Facts.VirtualServer("all", true, List.of(), List.of(), all, List.of()));
    }
}
