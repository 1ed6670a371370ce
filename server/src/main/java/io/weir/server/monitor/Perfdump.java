package io.weir.server.monitor;

import io.weir.proxy.program.run.PerformanceBuckets;
import io.weir.server.figures.FigureGroup;
import io.weir.server.figures.cluster.ClusterFigures;
import io.weir.server.figures.http.BucketDeclarations;
import io.weir.server.figures.http.CacheDeclarations;
import io.weir.server.figures.http.Http2Declarations;
import io.weir.server.figures.http.TrafficDeclarations;
import io.weir.server.figures.kernel.KernelDeclarations;
import io.weir.server.figures.kernel.PoolDeclarations;
import io.weir.server.figures.messaging.MessagingFigures;
import io.weir.server.monitor.source.Facts;
import io.weir.server.monitor.source.MonitorSource;
import io.weir.server.monitor.source.TrafficFigures;
import io.weir.server.monitor.text.FigureViews;
import io.weir.server.monitor.text.PerfdumpLines;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Formatter;
import java.util.List;
import java.util.Locale;

/**
 * Writes perfdump: the plain text report of the tuning guide, label for label and column for column, so that existing
 * scripts keep working. Confined to the call; created for each report.
 */
final class Perfdump {
    /** Maximum number of rows of the Sessions table: there may be as many as connections and streams. */
    static final int MAX_SESSIONS = 1000;

    private static final DateTimeFormatter CTIME =
            DateTimeFormatter.ofPattern("EEE MMM ppd HH:mm:ss yyyy", Locale.ROOT);
    private static final double NANOS_PER_SECOND = 1e9;

    private final MonitorSource source;
    private final ZoneId zone;
    private final long now;
    private final StringBuilder text = new StringBuilder(8192);
    private final Formatter out = new Formatter(text, Locale.ROOT);

    /**
     * A report.
     *
     * @param zone in which start times are written
     * @param now milliseconds since the epoch, for the ages of sessions
     */
    Perfdump(MonitorSource source, ZoneId zone, long now) {
        this.source = source;
        this.zone = zone;
        this.now = now;
    }

    /** The report; the single line of the Sun proxy if statistics are off. */
    String write(boolean collecting) {
        if (!collecting) {
            return "Statistics disabled\n";
        }
        identity(source.identity());
        section(KernelDeclarations.QUEUE, source.queue(), 43);
        source.listeners().forEach(this::listener);
        section(KernelDeclarations.KEEP_ALIVE, source.keepAlive(), 22);
        http2(source.http2());
        section(KernelDeclarations.SESSIONS, source.sessions(), 26);
        caches(source.cache(), source.diskCache());
        partitions(source.diskPartitions());
        members(source.memberCaches());
        pools(source.pools());
        dns(CacheDeclarations.HOST_DNS, source.hostDns());
        dns(CacheDeclarations.CLIENT_DNS, source.clientDns());
        counters(source.virtualServers(), source.buckets());
        sessionTable(source.identity().pid(), source.sessionRows(MAX_SESSIONS));
        new PerfdumpWork(text).write(source.work());
        new PerfdumpTls(text, now).write(source.tls());
        TrafficText.perfdump(source.traffic(TrafficFigures.CLIENTS), text);
        OriginsText.perfdump(source.origins(), text);
        MessagingFigures messaging = source.messaging();
        if (messaging != null) {
            new PerfdumpMessaging(text).write(messaging);
        }
        ClusterFigures cluster = source.cluster();
        if (cluster != null) {
            new PerfdumpCluster(text).write(cluster);
        }
        return text.toString();
    }

    private void identity(Facts.Identity id) {
        out.format("proxyd pid: %d\n", id.pid());
        blank();
        String build = id.build().isEmpty() ? "" : " B" + id.build();
        out.format("%s %s%s (%s)\n", id.product(), id.version(), build, id.platform());
        blank();
        out.format("Server started %s\n", ctime(id.serverStarted(), zone));
        out.format("Process %d started %s\n", id.pid(), ctime(id.processStarted(), zone));
        blank();
    }

    private void listener(Facts.Listener l) {
        PerfdumpLines lines = new PerfdumpLines(text, 26);
        lines.section(KernelDeclarations.LISTENER.section().replace("NAME", l.name()));
        FigureViews.lines(KernelDeclarations.LISTENER, l, lines);
        blank();
    }

    private <T> void section(FigureGroup<T> group, T of, int column) {
        FigureViews.section(group, of, new PerfdumpLines(text, column));
    }

    /** Writes nothing while HTTP/2 is unused. */
    private void http2(Facts.Http2 h) {
        if (!h.equals(Facts.Http2.NONE)) {
            section(Http2Declarations.HTTP2, h, 26);
        }
    }

    private void caches(Facts.Cache cache, Facts.DiskCache disk) {
        if (cache.enabled()) {
            section(CacheDeclarations.CACHE, cache, 25);
        } else {
            off(CacheDeclarations.CACHE.section(), "Server cache disabled");
        }
        if (disk.enabled()) {
            section(CacheDeclarations.DISK, disk, 25);
        } else {
            off(CacheDeclarations.DISK.section(), "Disk cache disabled");
        }
    }

    /** Writes nothing without a disk cache. */
    private void partitions(List<Facts.DiskPartition> partitions) {
        PerfdumpLines lines = new PerfdumpLines(text, 25);
        if (!partitions.isEmpty()) {
            lines.section(CacheDeclarations.PARTITION.section());
        }
        for (Facts.DiskPartition p : partitions) {
            text.append(p.name()).append(":\n");
            FigureViews.lines(CacheDeclarations.PARTITION, p, lines);
        }
        if (!partitions.isEmpty()) {
            blank();
        }
    }

    /** Writes nothing while members do not ask each other. */
    private void members(Facts.MemberCaches m) {
        if (!m.equals(Facts.MemberCaches.NONE)) {
            section(CacheDeclarations.MEMBERS, m, 32);
        }
    }

    private void pools(List<Facts.Pool> pools) {
        PerfdumpLines lines = new PerfdumpLines(text, 30);
        lines.section(PoolDeclarations.POOL.section());
        for (Facts.Pool p : pools) {
            text.append(p.name()).append(":\n");
            FigureViews.lines(PoolDeclarations.POOL, new PoolDeclarations.Row(0, p, 0), lines);
        }
        blank();
    }

    private void dns(FigureGroup<Facts.Dns> group, Facts.Dns d) {
        PerfdumpLines lines = new PerfdumpLines(text, 20);
        lines.section(group.section());
        if (d.enabled()) {
            FigureViews.lines(CacheDeclarations.NAMES, d, lines);
        } else {
            text.append("Server DNS cache disabled\n");
        }
        blank();
        if (d.async()) {
            lines.section("AsyncDNS Data:");
            FigureViews.lines(CacheDeclarations.LOOK_UPS, d, lines);
        } else {
            text.append("Async DNS disabled\n");
        }
        blank();
    }

    private void off(String title, String line) {
        new PerfdumpLines(text, 25).section(title);
        text.append(line).append('\n');
        blank();
    }

    private void counters(List<Facts.VirtualServer> servers, List<Facts.Bucket> buckets) {
        if (buckets.isEmpty()) {
            text.append("Performance Statistics disabled\n");
            blank();
            return;
        }
        long requests = servers.stream().mapToLong(v -> v.requests().count()).sum();
        double seconds = servers.stream().mapToLong(v -> v.requests().nanos()).sum() / NANOS_PER_SECOND;
        long invocations = buckets.stream().mapToLong(Facts.Bucket::invocations).sum();
        BucketDeclarations.Totals all = new BucketDeclarations.Totals(requests, seconds, invocations);
        PerfdumpLines lines = new PerfdumpLines(text, 27);
        lines.title(BucketDeclarations.TOTALS.section(), 48);
        text.append("                           Average         Total      Percent\n");
        blank();
        FigureViews.lines(BucketDeclarations.TOTALS, all, lines);
        blank();
        for (Facts.Bucket b : shownOrder(buckets)) {
            text.append(b.name() + " (" + b.description() + ")\n");
            FigureViews.lines(BucketDeclarations.BUCKET, new BucketDeclarations.Row(0, b, all), lines);
            blank();
        }
    }

    /** The last defined first, the default bucket last; the predefined cache-bucket not unless it was used. */
    private static List<Facts.Bucket> shownOrder(List<Facts.Bucket> buckets) {
        List<Facts.Bucket> order = new ArrayList<>(buckets.reversed());
        order.removeIf(b -> b.name().equals(PerformanceBuckets.CACHE) && b.invocations() == 0);
        order.sort((a, b) -> Boolean.compare(isDefault(a), isDefault(b)));
        return order;
    }

    private static boolean isDefault(Facts.Bucket bucket) {
        return bucket.name().equals(PerformanceBuckets.DEFAULT);
    }

    private void sessionTable(long pid, List<Facts.SessionRow> rows) {
        List<TrafficDeclarations.Session> sessions = rows.stream()
                .map(r -> new TrafficDeclarations.Session(pid, r, now))
                .toList();
        FigureViews.table(TrafficDeclarations.SESSION, sessions, sessions.size(), new PerfdumpLines(text));
    }

    static String ctime(long millis, ZoneId zone) {
        return CTIME.format(Instant.ofEpochMilli(millis).atZone(zone));
    }

    private void blank() {
        text.append('\n');
    }
}
