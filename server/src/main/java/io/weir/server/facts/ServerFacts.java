package io.weir.server.facts;

import io.weir.base.Live;
import io.weir.base.LoadAverage;
import io.weir.base.Log;
import io.weir.base.Stats;
import io.weir.journal.damage.Damages;
import io.weir.kernel.Kernel;
import io.weir.kernel.connection.Session;
import io.weir.kernel.listen.Listener;
import io.weir.kernel.queue.ConnectionQueue;
import io.weir.proxy.Proxy;
import io.weir.server.catalogue.ServerStats;
import io.weir.server.cluster.ClusterFacts;
import io.weir.server.config.WeirConfig;
import io.weir.server.figures.cluster.ClusterFigures;
import io.weir.server.figures.messaging.MessagingFigures;
import io.weir.server.figures.origins.OriginFigures;
import io.weir.server.figures.tls.TlsFigures;
import io.weir.server.figures.work.WorkFigures;
import io.weir.server.files.Processes;
import io.weir.server.monitor.source.Facts;
import io.weir.server.monitor.source.MonitorSource;
import io.weir.server.monitor.source.TrafficFigures;
import io.weir.server.siblings.ProcessCaches;
import io.weir.server.start.ServerParts;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The figures of this server for the monitoring views, read from kernel and engine without locks. Shared. */
public final class ServerFacts implements MonitorSource {
    private final ServerParts parts;
    private final Live<WeirConfig> live;
    private final Kernel kernel;
    private final Proxy proxy;
    private final TrafficFacts traffic;
    private final MuxerWatch muxers;
    private final AutoValues autos;
    private final Stats stats;
    private final long started;
    private final long processStarted;
    private volatile Facts.Phase phase = Facts.Phase.STARTING;
    private volatile @Nullable MessagingFacts messaging;
    private volatile @Nullable ClusterFacts cluster;
    private final DamageFacts damage = new DamageFacts(this::damagesOfMessages, this::damagesOfTheCluster);

    public ServerFacts(ServerParts parts, Live<WeirConfig> live, Kernel kernel, Proxy proxy, Stats stats, Log log) {
        this.stats = stats;
        this.parts = parts;
        this.live = live;
        this.kernel = kernel;
        this.proxy = proxy;
        this.traffic = new TrafficFacts(stats, kernel, proxy, live);
        this.autos = new AutoValues(kernel, proxy, live, stats);
        this.muxers = MuxerWatch.of(kernel.muxers().all(), parts.clock(), stats, log);
        this.started = parts.clock().millis();
        this.processStarted = started - Math.max(0, Processes.jvmAgeMillis());
    }

    public void phase(Facts.Phase next) {
        phase = next;
    }

    /** Called when messaging is started. */
    public void messaging(MessagingFacts facts) {
        messaging = facts;
    }

    /** Called when messaging and the cluster have moved to another process. */
    public void released() {
        messaging = null;
        cluster = null;
    }

    /** Called when the cluster is started. */
    public void cluster(ClusterFacts facts) {
        cluster = facts;
    }

    @Override
    public Facts.Identity identity() {
        return new Facts.Identity(
                live.get().server().name(),
                "Weir",
                parts.version(),
                "",
                System.getProperty("os.name") + " " + System.getProperty("os.arch"),
                ProcessHandle.current().pid(),
                started,
                processStarted,
                (int) (1 + stats.value(ServerStats.CONFIG_CHANGES)),
                kernel.connectionQueue().throttle());
    }

    @Override
    public Facts.Phase phase() {
        return phase;
    }

    @Override
    public Facts.Queue queue() {
        ConnectionQueue q = kernel.connectionQueue();
        return new Facts.Queue(
                q.length(),
                q.peak(),
                q.limit(),
                kernel.accepted(),
                q.total(),
                q.overflows(),
                q.ticks() * (1_000_000_000L / ConnectionQueue.ticksPerSecond()),
                averages(q.averageLength()));
    }

    private static Facts.Averages averages(LoadAverage a) {
        return new Facts.Averages(a.oneMinute(), a.fiveMinutes(), a.fifteenMinutes());
    }

    @Override
    public List<Facts.Listener> listeners() {
        List<Facts.Listener> all = new ArrayList<>();
        for (Listener l : kernel.listeners()) {
            if (l.name().equals(ProcessCaches.LISTENER)) {
                continue;
            }
            all.add(new Facts.Listener(
                    l.name(),
                    l.place(),
                    scheme(l),
                    l.acceptorThreads(),
                    l.config().virtualServer(),
                    phase == Facts.Phase.RUNNING));
        }
        return all;
    }

    private static String scheme(Listener l) {
        String plain = l.config().protocol().name().toLowerCase(Locale.ROOT);
        return l.secure() ? plain + "s" : plain;
    }

    @Override
    public List<Facts.Check> checks() {
        List<Facts.Check> checks = new ArrayList<>();
        if (kernel.failed()) {
            checks.add(new Facts.Check("overload-protection", false, "FAILED: too many threads are stuck"));
        }
        checks.addAll(muxers.checks());
        MessagingFacts m = messaging;
        if (m != null) {
            checks.addAll(m.checks());
        }
        ClusterFacts c = cluster;
        if (c != null) {
            checks.addAll(c.checks());
        }
        checks.addAll(damage.checks());
        checks.addAll(traffic.checks());
        return checks;
    }

    @Override
    public void second() {
        muxers.look();
    }

    private @Nullable Damages damagesOfMessages() {
        MessagingFacts m = messaging;
        return m == null ? null : m.damages();
    }

    private @Nullable Damages damagesOfTheCluster() {
        ClusterFacts c = cluster;
        return c == null ? null : c.damages();
    }

    /** The effective values of knobs set to auto. */
    public AutoValues autos() {
        return autos;
    }

    /** Damage of the journals, for operators. */
    public DamageFacts damage() {
        return damage;
    }

    @Override
    public @Nullable ClusterFigures cluster() {
        ClusterFacts c = cluster;
        if (c == null) {
            return null;
        }
        c.refresh();
        return c.figures();
    }

    @Override
    public @Nullable MessagingFigures messaging() {
        MessagingFacts m = messaging;
        return m == null ? null : m.figures();
    }

    @Override
    public Facts.KeepAlive keepAlive() {
        var k = kernel.keepAlive();
        return new Facts.KeepAlive(
                k.count(), k.limit(), k.hits(), k.flushes(), k.refusals(), k.timeOuts(), k.timeOutSeconds());
    }

    @Override
    public Facts.Sessions sessions() {
        ConnectionQueue q = kernel.connectionQueue();
        return new Facts.Sessions(q.active(), kernel.idle(), q.peakActive(), q.throttle());
    }

    @Override
    public List<Facts.SessionRow> sessionRows(int limit) {
        long now = parts.clock().millis();
        return kernel.sessions().active().stream()
                .limit(limit)
                .map(s -> row(s, now))
                .toList();
    }

    private static Facts.SessionRow row(Session s, long now) {
        return new Facts.SessionRow(
                s.status().word(),
                s.client(),
                now - s.age().toMillis(),
                s.virtualServer(),
                s.method(),
                s.uri(),
                s.function());
    }

    @Override
    public Facts.Cache cache() {
        return traffic.cache();
    }

    @Override
    public Facts.DiskCache diskCache() {
        return traffic.diskCache();
    }

    @Override
    public List<Facts.DiskPartition> diskPartitions() {
        return traffic.diskPartitions();
    }

    @Override
    public Facts.MemberCaches memberCaches() {
        return traffic.memberCaches();
    }

    @Override
    public List<Facts.CacheEntry> cacheEntries(int limit) {
        return traffic.cacheEntries(limit);
    }

    @Override
    public List<Facts.Pool> pools() {
        return new WorkFacts(kernel, stats).pools();
    }

    @Override
    public WorkFigures work() {
        return new WorkFacts(kernel, stats).figures();
    }

    @Override
    public List<TlsFigures> tls() {
        return new TlsFacts(kernel, stats).figures();
    }

    @Override
    public Facts.Http2 http2() {
        return traffic.http2();
    }

    @Override
    public Facts.Dns hostDns() {
        return traffic.dns();
    }

    @Override
    public List<OriginFigures> origins() {
        return new OriginFacts(proxy).figures();
    }

    @Override
    public List<TrafficFigures> traffic(int clients) {
        return new UsageFacts(proxy, live).figures(clients);
    }

    @Override
    public List<Facts.Bucket> buckets() {
        return traffic.buckets();
    }

    @Override
    public List<Facts.VirtualServer> virtualServers() {
        return traffic.virtualServers();
    }
}
