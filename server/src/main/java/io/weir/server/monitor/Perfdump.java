package io.weir.server.monitor;

import io.weir.server.figures.FigureGroup;
import io.weir.server.figures.Texts;
import io.weir.server.figures.cluster.ClusterFigures;
import io.weir.server.figures.kernel.KernelDeclarations;
import io.weir.server.figures.kernel.PoolDeclarations;
import io.weir.server.figures.messaging.MessagingFigures;
import io.weir.server.monitor.source.Facts;
import io.weir.server.monitor.source.MonitorSource;
import io.weir.server.monitor.source.TrafficFigures;
import io.weir.server.monitor.text.FigureViews;
import io.weir.server.monitor.text.PerfdumpLines;
import io.weir.server.monitor.text.TextTable;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Formatter;
import java.util.List;
import java.util.Locale;

/**
 * Writes perfdump: the plain text report of the tuning guide, label for label and column for column, so that scripts made for it
 * go on working. Confined to the call; made anew for each report.
 */
final class Perfdump {
    /** Rows of the Sessions table at most: there may be as many as connections and streams. */
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

    /** The report; the single line of the Sun proxy when statistics are off. */
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
        cache(source.cache());
        diskCache(source.diskCache());
        pools(source.pools());
        dns("HostDNSCacheInfo:", source.hostDns());
        dns("ClientDNSCacheInfo:", source.clientDns());
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

    private void http2(Facts.Http2 h) {
        if (h.equals(Facts.Http2.NONE)) {
            return;
        }
        title("Http2Info:", 24);
        out.format("Connections               %d/%d\n", h.open(), h.total());
        out.format("Streams                   %d/%d\n", h.streams(), h.totalStreams());
        out.format("Refused Streams           %d\n", h.refused());
        out.format("Resets (received/sent)    %d/%d\n", h.resetsReceived(), h.resetsSent());
        out.format("Goaways (received/sent)   %d/%d\n", h.goawaysReceived(), h.goawaysSent());
        out.format("Connections Cut Off       %d\n", h.cutOff());
        out.format("Origin Connections        %d\n", h.originConnections());
        out.format("Origin Streams            %d\n", h.originStreams());
        out.format("Origin Resets/Goaways     %d/%d\n", h.originResets(), h.originGoaways());
        blank();
    }

    private void cache(Facts.Cache c) {
        title("CacheInfo:", 23);
        if (c.enabled()) {
            out.format("File Cache Enabled       yes\n");
            out.format("File Cache Entries       %d/%d\n", c.entries(), c.maxEntries());
            out.format("File Cache Hit Ratio     %s\n", Texts.ratio(c.hits(), c.hits() + c.misses()));
            out.format("Maximum Age              %d\n", c.maxAgeSeconds());
            out.format("Accelerator Entries      %d/%d\n", c.entries(), c.maxEntries());
            out.format("Acceleratable Requests   %s\n", Texts.ratio(c.eligible(), c.requests()));
            out.format("Acceleratable Responses  %s\n", Texts.ratio(c.storable(), c.answers()));
            out.format("Accelerator Hit Ratio    %s\n", Texts.ratio(c.contentHits(), c.eligible()));
        } else {
            out.format("Server cache disabled\n");
        }
        blank();
    }

    private void diskCache(Facts.DiskCache c) {
        title("DiskCacheInfo:", 23);
        if (c.enabled()) {
            out.format("Hit Ratio                %s\n", Texts.ratio(c.hits(), c.hits() + c.misses()));
            out.format("Misses                   %d\n", c.misses());
            out.format("Cache files at startup   %d\n", c.filesAtStart());
            out.format("Cache files created      %d\n", c.created());
            out.format("Cache files cleaned up   %d\n", c.cleaned());
        } else {
            out.format("Disk cache disabled\n");
        }
        blank();
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

    private void dns(String title, Facts.Dns d) {
        title(title, 18);
        if (d.enabled()) {
            out.format("enabled             yes\n");
            out.format("CacheEntries        %d/%d\n", d.entries(), d.maxEntries());
            out.format("HitRatio            %s\n", Texts.ratio(d.hits(), d.hits() + d.misses()));
        } else {
            out.format("Server DNS cache disabled\n");
        }
        blank();
        if (d.async()) {
            title("AsyncDNS Data:", 18);
            out.format("enabled             yes\n");
            out.format("NameLookups         %d\n", d.nameLookups());
            out.format("AddrLookups         %d\n", d.addressLookups());
            out.format("LookupsInProgress   %d\n", d.lookupsInProgress());
        } else {
            out.format("Async DNS disabled\n");
        }
        blank();
    }

    private void counters(List<Facts.VirtualServer> servers, List<Facts.Bucket> buckets) {
        long requests = servers.stream().mapToLong(v -> v.requests().count()).sum();
        double seconds = servers.stream().mapToLong(v -> v.requests().nanos()).sum() / NANOS_PER_SECOND;
        long invocations = buckets.stream().mapToLong(Facts.Bucket::invocations).sum();
        title("Performance Counters:", 48);
        out.format("                           Average         Total      Percent\n");
        blank();
        out.format("Total number of requests:             %10d\n", requests);
        out.format("Request processing time:   %7.4f  %12.4f\n", per(seconds, requests), seconds);
        blank();
        for (Facts.Bucket b : shownOrder(buckets)) {
            bucket(b, requests, seconds, invocations);
        }
    }

    private void bucket(Facts.Bucket b, long requests, double seconds, long invocations) {
        double latency = b.dispatchNanos() / NANOS_PER_SECOND;
        double function = b.functionNanos() / NANOS_PER_SECOND;
        long n = b.requests();
        out.format("%s (%s)\n", b.name(), b.description());
        out.format("Number of Requests:                 %12d    (%6.2f%%)\n", n, percent(n, requests));
        out.format(
                "Number of Invocations:              %12d    (%6.2f%%)\n",
                b.invocations(), percent(b.invocations(), invocations));
        time("Latency:                   ", latency, n, seconds);
        time("Function Processing Time:  ", function, n, seconds);
        time("Total Response Time:       ", latency + function, n, seconds);
        blank();
    }

    private void time(String label, double total, long requests, double allSeconds) {
        out.format("%s%7.4f  %12.4f    (%6.2f%%)\n", label, per(total, requests), total, percent(total, allSeconds));
    }

    /** The last defined first, the default bucket last. */
    private static List<Facts.Bucket> shownOrder(List<Facts.Bucket> buckets) {
        List<Facts.Bucket> order = new ArrayList<>(buckets.reversed());
        order.sort((a, b) -> Boolean.compare(isDefault(a), isDefault(b)));
        return order;
    }

    private static boolean isDefault(Facts.Bucket bucket) {
        return bucket.name().equals("default-bucket");
    }

    private void sessionTable(long pid, List<Facts.SessionRow> rows) {
        TextTable table = new TextTable("Process", "Status", "Client", "Age", "VS", "Method", "URI", "Function");
        for (Facts.SessionRow r : rows) {
            long age = Math.max(0, (now - r.started()) / 1000);
            table.row(
                    Long.toString(r.pid() == 0 ? pid : r.pid()),
                    r.status(),
                    r.client(),
                    Long.toString(age),
                    r.virtualServer(),
                    r.method(),
                    r.uri(),
                    r.function());
        }
        title("Sessions:", table.width());
        text.append(table.text());
        blank();
    }

    private static double percent(long part, long whole) {
        return percent((double) part, (double) whole);
    }

    private static double percent(double part, double whole) {
        return whole == 0 ? 0 : part * 100 / whole;
    }

    private static double per(double total, long n) {
        return n == 0 ? 0 : total / n;
    }

    static String ctime(long millis, ZoneId zone) {
        return CTIME.format(Instant.ofEpochMilli(millis).atZone(zone));
    }

    private void title(String title, int dashes) {
        text.append(title).append('\n').repeat('-', dashes).append('\n');
    }

    private void blank() {
        text.append('\n');
    }
}
