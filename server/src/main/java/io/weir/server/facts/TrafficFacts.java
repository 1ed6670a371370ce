package io.weir.server.facts;

import io.weir.base.Live;
import io.weir.base.StatSpec;
import io.weir.base.Stats;
import io.weir.kernel.Kernel;
import io.weir.kernel.listen.Listener;
import io.weir.kernel.listen.ListenerProtocol;
import io.weir.kernel.queue.ConnectionQueue;
import io.weir.proxy.Proxy;
import io.weir.proxy.cache.CacheFacts;
import io.weir.proxy.cache.CachedObject;
import io.weir.proxy.cache.config.CacheStats;
import io.weir.proxy.cache.config.DiskStats;
import io.weir.proxy.cache.disk.DiskTier;
import io.weir.proxy.context.EngineStats;
import io.weir.proxy.http2.Http2Stats;
import io.weir.proxy.members.MemberStats;
import io.weir.proxy.program.config.DnsConfig;
import io.weir.proxy.program.run.PerformanceBucket;
import io.weir.proxy.program.run.PerformanceBuckets;
import io.weir.proxy.program.run.ProxyStats;
import io.weir.proxy.program.server.VirtualServer;
import io.weir.proxy.qos.UsageFigures;
import io.weir.server.config.WeirConfig;
import io.weir.server.monitor.source.Facts;
import io.weir.server.monitor.source.TrafficFigures.Figure;
import java.util.ArrayList;
import java.util.List;

/** The proxy's figures for the monitoring views: traffic by virtual server, cache, buckets, HTTP/2, DNS. Shared. */
public final class TrafficFacts {
    private final Stats stats;
    private final Kernel kernel;
    private final Proxy proxy;
    private final Live<WeirConfig> live;

    public TrafficFacts(Stats stats, Kernel kernel, Proxy proxy, Live<WeirConfig> live) {
        this.stats = stats;
        this.kernel = kernel;
        this.proxy = proxy;
        this.live = live;
    }

    public List<Facts.VirtualServer> virtualServers() {
        List<Facts.VirtualServer> all = new ArrayList<>();
        for (VirtualServer v : proxy.program().virtualServers().all()) {
            all.add(new Facts.VirtualServer(v.name(), true, v.hosts(), v.listeners(), requests(v), buckets(v)));
        }
        return all;
    }

    private Facts.Requests requests(VirtualServer v) {
        long open = 0;
        long most = 0;
        for (Listener l : kernel.listeners()) {
            boolean http = l.config().protocol() == ListenerProtocol.HTTP;
            if (http && (v.listeners().isEmpty() || v.listeners().contains(l.name()))) {
                open += l.connections();
                most += l.mostConnections();
            }
        }
        String name = v.name();
        UsageFigures counted = proxy.qos().use(name);
        return new Facts.Requests(
                null,
                null,
                stats.value(EngineStats.REQUESTS, name),
                stats.value(EngineStats.BYTES_RECEIVED, name),
                stats.value(EngineStats.BYTES_SENT, name),
                counted == null ? open : counted.connections(),
                counted == null ? most : counted.mostConnections(),
                counted == null ? null : new Figure(counted.byteRate(), counted.mostBytes(), 0),
                stats.histogram(EngineStats.DURATION, name).total(),
                (first, last) -> answers(name, first, last));
    }

    /**
     * Answers with a status in the range; statuses that are counted together as a class belong to the range that
     * contains the class.
     */
    private long answers(String server, int first, int last) {
        long sum = 0;
        for (int hundreds = first / 100; hundreds <= last / 100; hundreds++) {
            if (first <= hundreds * 100 && last >= hundreds * 100 + 99) {
                sum += stats.value(EngineStats.RESPONSES, server, hundreds + "xx");
            }
        }
        for (int status = first; status <= last; status++) {
            sum += stats.value(EngineStats.RESPONSES, server, Integer.toString(status));
        }
        return sum;
    }

    public Facts.Cache cache() {
        CacheFacts c = proxy.cache().inspection().facts();
        long misses = Math.max(0, c.lookups() - c.hits());
        long infoHits = Math.min(c.hits(), stats.value(CacheStats.HITS_ON_HEADS));
        long infoMisses = Math.min(misses, stats.value(CacheStats.MISS_REASONS, "stale"));
        long eligible = Math.max(0, c.lookups() - stats.value(CacheStats.OTHER_LOOK_UPS));
        long accelerated = Math.clamp(c.hits() - stats.sum(CacheStats.SLOW_HITS), 0, eligible);
        long answers = stats.value(CacheStats.SIMPLE_FETCHES);
        return new Facts.Cache(
                c.enabled(),
                c.entries(),
                c.plainEntries(),
                c.maxEntries(),
                stats.sum(DiskStats.SEGMENTS),
                stats.sum(DiskStats.MOST_SEGMENTS),
                c.bytes(),
                c.budgetBytes(),
                c.maxAge().toSeconds(),
                c.hits(),
                misses,
                infoHits,
                infoMisses,
                c.hits() - infoHits,
                misses - infoMisses,
                eligible,
                accelerated,
                stats.sum(EngineStats.REQUESTS),
                Math.min(answers, stats.value(CacheStats.SIMPLE_STORED)),
                answers,
                stats.value(CacheStats.REPLACEMENTS),
                stats.sum(CacheStats.EVICTIONS),
                stats.value(CacheStats.INVALIDATIONS),
                stats.value(CacheStats.BUSY_REMOVALS),
                c.entryBytes(),
                live.get().cache().maxObjectSize().bytes(),
                c.places(),
                proxy.cache().hasDisk() && live.get().cache().disk().sendfile());
    }

    /** What the Sun proxy calls a file is a stored answer here. */
    public Facts.DiskCache diskCache() {
        if (!proxy.cache().hasDisk()) {
            return Facts.DiskCache.NONE;
        }
        return new Facts.DiskCache(
                true,
                stats.value(CacheStats.HITS_FROM_DISK),
                stats.sum(DiskStats.MISSES),
                stats.sum(DiskStats.AT_START),
                stats.sum(DiskStats.WRITTEN),
                stats.sum(DiskStats.EVICTIONS),
                stats.sum(DiskStats.OBJECTS),
                stats.sum(DiskStats.BYTES),
                stats.sum(DiskStats.CAPACITY),
                stats.sum(DiskStats.REFUSALS),
                stats.sum(DiskStats.CARRIED),
                stats.sum(DiskStats.TIMEOUTS),
                stats.sum(DiskStats.ERRORS),
                stats.value(DiskStats.CONTINUED),
                stats.value(DiskStats.CUT));
    }

    /** The partitions by their names; those of the configuration, which only a restart changes. */
    public List<Facts.DiskPartition> diskPartitions() {
        return proxy.cache().hasDisk()
                ? live.get().cache().disk().named().keySet().stream()
                        .sorted()
                        .map(this::partition)
                        .toList()
                : List.of();
    }

    /** Of this member's cache and those of the others. */
    public Facts.MemberCaches memberCaches() {
        return new Facts.MemberCaches(
                stats.value(MemberStats.OWNERS),
                stats.value(MemberStats.ASKED, "answered"),
                stats.value(MemberStats.ASKED, "failed"),
                stats.value(MemberStats.ASKED, "refused"),
                stats.value(MemberStats.CONTINUED),
                stats.value(MemberStats.CUT),
                stats.value(MemberStats.SERVED));
    }

    private Facts.DiskPartition partition(String name) {
        long errors = 0;
        for (String kind : List.of("read", "write", "checksum")) {
            errors += stats.value(DiskStats.PARTITION_ERRORS, name, kind);
        }
        return new Facts.DiskPartition(
                name,
                stats.value(DiskStats.PARTITION_OBJECTS, name),
                stats.value(DiskStats.PARTITION_BYTES, name),
                stats.value(DiskStats.PARTITION_CAPACITY, name),
                stats.value(DiskStats.PARTITION_SEGMENTS, name),
                stats.value(DiskStats.PARTITION_ANSWERED, name),
                errors,
                stats.value(DiskStats.PARTITION_FAILING, name) != 0);
    }

    /** For the health view: a warning while a partition of the disk tier cannot be written. */
    List<Facts.Check> checks() {
        DiskTier disk = proxy.cache().diskTier();
        List<String> failing = disk == null ? List.of() : disk.failing();
        return failing.isEmpty()
                ? List.of()
                : List.of(new Facts.Check(
                        "cache disk",
                        Facts.Health.WARNING,
                        "partition " + String.join(", ", failing) + " cannot be written: requests are answered from"
                                + " memory and from the origins; see the log, and the disk of its path"));
    }

    public List<Facts.CacheEntry> cacheEntries(int limit) {
        long pid = ProcessHandle.current().pid();
        return proxy.cache().inspection().objects(limit).stream()
                .map(o -> entry(o, pid))
                .toList();
    }

    private static Facts.CacheEntry entry(CachedObject o, long pid) {
        return new Facts.CacheEntry(
                o.uri(), o.hits(), flags(o), o.references(), o.ageSeconds(), o.modifiedMillis(), o.bytes(), pid);
    }

    /** The letters of the Sun proxy that apply, in its order (docs/memory-cache.md). */
    private static String flags(CachedObject o) {
        return (o.doubtful() ? "D" : "")
                + (o.status() >= 400 ? "E" : "")
                + "I"
                + (o.bytes() > 0 && !o.bodyBelow() ? "C" : "")
                + (o.bodyBelow() ? "O" : "")
                + (o.onDisk() ? "T" : "")
                + (o.filling() ? "W" : "")
                + (o.limited() ? "P" : "");
    }

    /**
     * The buckets in the order of their definition; none if nothing is counted. The preparation of a call is the wait
     * for a thread of the function's pool, and in the default bucket also that in the connection queue; the rest of a
     * request's time belongs to its functions.
     */
    public List<Facts.Bucket> buckets() {
        ConnectionQueue queue = kernel.connectionQueue();
        long queued = queue.ticks() * (1_000_000_000L / ConnectionQueue.ticksPerSecond());
        return buckets(proxy.program().virtualServers().all(), queued);
    }

    /** Those of a virtual server; its requests' wait in the connection queue is not known, and part of their time. */
    private List<Facts.Bucket> buckets(VirtualServer server) {
        return buckets(List.of(server), 0);
    }

    private List<Facts.Bucket> buckets(List<VirtualServer> servers, long queued) {
        List<Facts.Bucket> named = new ArrayList<>();
        long elsewhere = 0;
        PerformanceBuckets buckets = proxy.program().buckets();
        for (PerformanceBucket b : buckets.all()) {
            if (!b.name().equals(PerformanceBuckets.DEFAULT)) {
                Facts.Bucket counted = new Facts.Bucket(
                        b.name(),
                        b.description(),
                        sum(ProxyStats.BUCKET_REQUESTS, b.name(), servers),
                        sum(ProxyStats.BUCKET_INVOCATIONS, b.name(), servers),
                        sum(ProxyStats.BUCKET_DISPATCH, b.name(), servers),
                        sum(ProxyStats.BUCKET_TIME, b.name(), servers));
                elsewhere += counted.dispatchNanos() + counted.functionNanos();
                named.add(counted);
            }
        }
        PerformanceBucket rest = buckets.named(PerformanceBuckets.DEFAULT);
        if (rest != null) {
            long latency = queued + sum(ProxyStats.BUCKET_DISPATCH, rest.name(), servers);
            named.addFirst(new Facts.Bucket(
                    rest.name(),
                    rest.description(),
                    servers.stream()
                            .mapToLong(v -> stats.value(EngineStats.REQUESTS, v.name()))
                            .sum(),
                    sum(ProxyStats.BUCKET_INVOCATIONS, rest.name(), servers),
                    latency,
                    // waits are counted when they end, times when the request ends
                    Math.max(0, duration(servers) - latency - elsewhere)));
        }
        return named;
    }

    private long sum(StatSpec spec, String bucket, List<VirtualServer> servers) {
        return servers.stream()
                .mapToLong(v -> stats.value(spec, bucket, v.name()))
                .sum();
    }

    private long duration(List<VirtualServer> servers) {
        return servers.stream()
                .mapToLong(v -> stats.histogram(EngineStats.DURATION, v.name()).total())
                .sum();
    }

    public Facts.Http2 http2() {
        return new Facts.Http2(
                stats.value(Http2Stats.OPEN),
                stats.sum(Http2Stats.CONNECTIONS),
                stats.value(Http2Stats.STREAMS_OPEN),
                stats.value(Http2Stats.STREAMS),
                stats.value(Http2Stats.REFUSED),
                stats.sum(Http2Stats.RESETS_RECEIVED),
                stats.sum(Http2Stats.RESETS_SENT),
                stats.sum(Http2Stats.GOAWAYS_RECEIVED),
                stats.sum(Http2Stats.GOAWAYS_SENT),
                stats.sum(Http2Stats.FLOODS),
                stats.value(Http2Stats.ORIGIN_CONNECTIONS),
                stats.value(Http2Stats.ORIGIN_STREAMS),
                stats.sum(Http2Stats.ORIGIN_RESETS),
                stats.sum(Http2Stats.ORIGIN_GOAWAYS));
    }

    public Facts.Dns dns() {
        long misses = stats.value(EngineStats.DNS_MISSES);
        DnsConfig dns = live.get().proxy().dns();
        return new Facts.Dns(
                dns.cache(),
                stats.sum(EngineStats.DNS_ENTRIES),
                (long) dns.entries() * kernel.muxers().all().size(),
                stats.value(EngineStats.DNS_HITS),
                misses,
                true,
                misses,
                0,
                0);
    }
}
