package io.weir.server.monitor;

import io.weir.server.figures.cluster.ClusterFigures;
import io.weir.server.figures.messaging.MessagingFigures;
import io.weir.server.monitor.source.Facts;
import io.weir.server.monitor.source.MonitorSource;
import io.weir.server.monitor.source.Readings;
import io.weir.server.monitor.source.TrafficFigures;
import io.weir.server.monitor.text.XmlOut;
import java.io.StringWriter;
import java.lang.management.ClassLoadingMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.RuntimeMXBean;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/**
 * Writes stats-xml: the element tree of the Sun proxy, each element switchable by a query parameter of its name. A
 * switched-off element takes its children with it. Confined to the call; made anew for each report.
 */
final class StatsXml {
    /** Ticks are microseconds: coarser ones would show the shortest queueing delays as none. */
    static final long TICKS_PER_SECOND = 1_000_000;

    /** Elements of thread at most. */
    static final int MAX_THREADS = 1000;

    private static final String QUEUE_ID = "cq1";
    private static final long NANOS_PER_TICK = 1_000_000_000L / TICKS_PER_SECOND;
    private static final XMLOutputFactory FACTORY = XMLOutputFactory.newDefaultFactory();

    private final MonitorSource source;
    private final Readings readings;
    private final Map<String, String> switches;
    private final long now;
    private final StringWriter text = new StringWriter(8192);
    private final XMLStreamWriter out;
    private final XmlOut xml;

    /**
     * A report.
     *
     * @param switches query parameters: an element's name with the value 0 leaves it out
     * @param now milliseconds since the epoch
     */
    StatsXml(MonitorSource source, Readings readings, Map<String, String> switches, long now)
            throws XMLStreamException {
        this.source = source;
        this.readings = readings;
        this.switches = Map.copyOf(switches);
        this.now = now;
        this.out = FACTORY.createXMLStreamWriter(text);
        this.xml = new XmlOut(out);
    }

    /** The document; when statistics are off it has no server. */
    String write(boolean collecting) throws XMLStreamException {
        out.writeStartDocument("utf-8", "1.0");
        out.writeCharacters("\n");
        out.writeDTD("<!DOCTYPE stats SYSTEM \"proxystats.dtd\">");
        out.writeCharacters("\n");
        out.writeStartElement("stats");
        xml.attribute("enabled", collecting);
        xml.attribute("versionMajor", 1);
        xml.attribute("versionMinor", 3);
        if (collecting && on("server")) {
            server(source.identity());
        }
        xml.line();
        out.writeEndElement();
        out.writeCharacters("\n");
        out.writeEndDocument();
        out.close();
        return text.toString();
    }

    private void server(Facts.Identity id) throws XMLStreamException {
        List<Facts.Pool> pools = source.pools();
        List<Facts.Bucket> profiles = profiles();
        xml.start("server");
        serverAttributes(id);
        if (on("connection-queue")) {
            xml.empty("connection-queue");
            xml.attribute("id", QUEUE_ID);
        }
        for (int i = 0; i < pools.size() && on("thread-pool"); i++) {
            xml.empty("thread-pool");
            xml.attribute("id", "thread-pool-" + i);
            xml.attribute("name", pools.get(i).name());
        }
        for (int i = 0; i < profiles.size() && on("profile"); i++) {
            xml.empty("profile");
            xml.attribute("id", "profile-" + i);
            xml.attribute("name", profiles.get(i).name());
            xml.attribute("description", profiles.get(i).description());
        }
        if (on("process")) {
            process(id, pools);
        }
        if (on("virtual-server")) {
            virtualServers(profiles);
        }
        if (on("cpu-info")) {
            cpus();
        }
        xml.end();
    }

    private void serverAttributes(Facts.Identity id) throws XMLStreamException {
        xml.attribute("id", id.id());
        xml.attribute("versionServer", id.product() + " " + id.version());
        xml.attribute("timeStarted", id.serverStarted() / 1000);
        xml.attribute("secondsRunning", Math.max(0, (now - id.serverStarted()) / 1000));
        xml.attribute("ticksPerSecond", TICKS_PER_SECOND);
        xml.attribute("maxProcs", 1);
        xml.attribute("maxThreads", id.maxThreads());
        xml.attribute("flagProfilingEnabled", true);
        averages("load", readings.load());
        xml.attribute("rateBytesTransmitted", Math.round(readings.rateSent()));
        xml.attribute("rateBytesReceived", Math.round(readings.rateReceived()));
        averages("requests", readings.requests());
        averages("errors", readings.errors());
        averages("responseTime", readings.responseTime());
    }

    private void process(Facts.Identity id, List<Facts.Pool> pools) throws XMLStreamException {
        xml.start("process");
        xml.attribute("pid", id.pid());
        xml.attribute("mode", "active");
        xml.attribute("timeStarted", id.processStarted() / 1000);
        xml.attribute("countConfigurations", id.configurations());
        xml.attribute("sizeVirtual", readings.virtualBytes());
        xml.attribute("sizeResident", readings.residentBytes());
        xml.attribute("fractionSystemMemoryUsage", decimal(readings.memoryFraction()));
        if (on("connection-queue-bucket")) {
            queue(source.queue());
        }
        for (int i = 0; i < pools.size() && on("thread-pool-bucket"); i++) {
            pool(i, pools.get(i));
        }
        if (on("host-dns-bucket")) {
            dns("host-dns-bucket", source.hostDns());
        }
        if (on("client-dns-bucket")) {
            dns("client-dns-bucket", source.clientDns());
        }
        if (on("keepalive-bucket")) {
            keepAlive(source.keepAlive());
        }
        if (on("http2-bucket")) {
            http2(source.http2());
        }
        if (on("cache-bucket")) {
            cache(source.cache());
        }
        if (on("thread")) {
            threads();
        }
        if (on("jvm")) {
            jvm();
        }
        new StatsXmlWork(xml, this::on).write(source.work());
        new StatsXmlTls(xml, this::on, now).write(source.tls());
        if (on("qos-bucket")) {
            TrafficText.xml(source.traffic(TrafficFigures.CLIENTS), xml);
        }
        if (on("origin-pool-bucket")) {
            OriginsText.xml(source.origins(), on("origin-server-bucket"), xml);
        }
        MessagingFigures messaging = source.messaging();
        if (messaging != null && on("jms-bucket")) {
            new StatsXmlMessaging(xml, this::on).write(messaging);
        }
        ClusterFigures cluster = source.cluster();
        if (cluster != null && on("cluster-bucket")) {
            new StatsXmlCluster(xml, this::on).write(cluster);
        }
        xml.end();
    }

    private void queue(Facts.Queue q) throws XMLStreamException {
        xml.empty("connection-queue-bucket");
        xml.attribute("connection-queue", QUEUE_ID);
        xml.attribute("countTotalConnections", q.connections());
        xml.attribute("countQueued", q.current());
        xml.attribute("peakQueued", q.peak());
        xml.attribute("maxQueued", q.limit());
        xml.attribute("countOverflows", q.overflows());
        xml.attribute("countTotalQueued", q.totalQueued());
        xml.attribute("ticksTotalQueued", q.delayNanos() / NANOS_PER_TICK);
        averages("countQueued", q.averages());
    }

    private void pool(int number, Facts.Pool p) throws XMLStreamException {
        xml.empty("thread-pool-bucket");
        xml.attribute("thread-pool", "thread-pool-" + number);
        xml.attribute("countThreadsIdle", p.idle());
        xml.attribute("countThreads", p.threads());
        xml.attribute("maxThreads", p.maxThreads());
        xml.attribute("countQueued", p.queued());
        xml.attribute("peakQueued", p.peakQueued());
        xml.attribute("maxQueued", p.queueLimit());
    }

    private void dns(String element, Facts.Dns d) throws XMLStreamException {
        xml.empty(element);
        xml.attribute("flagCacheEnabled", d.enabled());
        xml.attribute("countCacheEntries", d.entries());
        xml.attribute("maxCacheEntries", d.maxEntries());
        xml.attribute("countCacheHits", d.hits());
        xml.attribute("countCacheMisses", d.misses());
        xml.attribute("flagAsyncEnabled", d.async());
        xml.attribute("countAsyncNameLookups", d.nameLookups());
        xml.attribute("countAsyncAddrLookups", d.addressLookups());
        xml.attribute("countAsyncLookupsInProgress", d.lookupsInProgress());
    }

    private void keepAlive(Facts.KeepAlive k) throws XMLStreamException {
        xml.empty("keepalive-bucket");
        xml.attribute("countConnections", k.count());
        xml.attribute("maxConnections", k.max());
        xml.attribute("countHits", k.hits());
        xml.attribute("countFlushes", k.flushes());
        xml.attribute("countRefusals", k.refusals());
        xml.attribute("countTimeouts", k.timeOuts());
        xml.attribute("secondsTimeout", k.timeOutSeconds());
    }

    private void http2(Facts.Http2 h) throws XMLStreamException {
        if (h.equals(Facts.Http2.NONE)) {
            return;
        }
        xml.empty("http2-bucket");
        xml.attribute("countConnectionsOpen", h.open());
        xml.attribute("countConnections", h.total());
        xml.attribute("countStreamsOpen", h.streams());
        xml.attribute("countStreams", h.totalStreams());
        xml.attribute("countStreamsRefused", h.refused());
        xml.attribute("countResetsReceived", h.resetsReceived());
        xml.attribute("countResetsSent", h.resetsSent());
        xml.attribute("countGoawaysReceived", h.goawaysReceived());
        xml.attribute("countGoawaysSent", h.goawaysSent());
        xml.attribute("countConnectionsCutOff", h.cutOff());
        xml.attribute("countOriginConnections", h.originConnections());
        xml.attribute("countOriginStreams", h.originStreams());
        xml.attribute("countOriginResets", h.originResets());
        xml.attribute("countOriginGoaways", h.originGoaways());
    }

    private void cache(Facts.Cache c) throws XMLStreamException {
        xml.empty("cache-bucket");
        xml.attribute("flagEnabled", c.enabled());
        xml.attribute("secondsMaxAge", c.maxAgeSeconds());
        xml.attribute("countEntries", c.entries());
        xml.attribute("maxEntries", c.maxEntries());
        xml.attribute("countOpenEntries", 0);
        xml.attribute("maxOpenEntries", 0);
        xml.attribute("sizeHeapCache", c.bytes());
        xml.attribute("maxHeapCacheSize", c.maxBytes());
        xml.attribute("sizeMmapCache", 0);
        xml.attribute("maxMmapCacheSize", 0);
        xml.attribute("countHits", c.hits());
        xml.attribute("countMisses", c.misses());
        xml.attribute("countInfoHits", c.infoHits());
        xml.attribute("countInfoMisses", c.infoMisses());
        xml.attribute("countContentHits", c.contentHits());
        xml.attribute("countContentMisses", c.contentMisses());
        xml.attribute("countAcceleratorEntries", c.entries());
        xml.attribute("countAcceleratableRequests", c.eligible());
        xml.attribute("countUnacceleratableRequests", Math.max(0, c.requests() - c.eligible()));
        xml.attribute("countAcceleratableResponses", c.storable());
        xml.attribute("countUnacceleratableResponses", Math.max(0, c.answers() - c.storable()));
        xml.attribute("countAcceleratorHits", c.contentHits());
        xml.attribute("countAcceleratorMisses", Math.max(0, c.eligible() - c.contentHits()));
    }

    private void threads() throws XMLStreamException {
        for (Facts.SessionRow row : source.sessionRows(MAX_THREADS)) {
            xml.start("thread");
            xml.attribute("mode", row.status());
            xml.attribute("timeStarted", row.started() / 1000);
            xml.attribute("function", row.function());
            xml.attribute("connection-queue", QUEUE_ID);
            xml.attribute("virtual-server", row.virtualServer());
            xml.attribute("addressClient", row.client());
            xml.attribute("timeRequestStarted", row.started() / 1000);
            xml.end();
        }
    }

    private void jvm() throws XMLStreamException {
        ClassLoadingMXBean classes = ManagementFactory.getClassLoadingMXBean();
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        RuntimeMXBean runtime = ManagementFactory.getRuntimeMXBean();
        long collections = 0;
        long millis = 0;
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            collections += Math.max(0, collector.getCollectionCount());
            millis += Math.max(0, collector.getCollectionTime());
        }
        xml.empty("jvm");
        xml.attribute("countClassesLoaded", classes.getLoadedClassCount());
        xml.attribute("countTotalClassesLoaded", classes.getTotalLoadedClassCount());
        xml.attribute("countTotalClassesUnloaded", classes.getUnloadedClassCount());
        xml.attribute(
                "sizeHeap",
                ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getCommitted());
        xml.attribute("peakThreads", threads.getPeakThreadCount());
        xml.attribute("countTotalThreadsStarted", threads.getTotalStartedThreadCount());
        xml.attribute("countThreads", threads.getThreadCount());
        xml.attribute("version", runtime.getVmVersion());
        xml.attribute("name", runtime.getVmName());
        xml.attribute("vendor", runtime.getVmVendor());
        xml.attribute("countGarbageCollections", collections);
        xml.attribute("millisecondsGarbageCollection", millis);
    }

    private void virtualServers(List<Facts.Bucket> profiles) throws XMLStreamException {
        List<Facts.VirtualServer> servers = source.virtualServers();
        for (Facts.VirtualServer server : servers) {
            xml.start("virtual-server");
            xml.attribute("id", server.id());
            xml.attribute("mode", server.active() ? "active" : "disabled");
            xml.attribute("hosts", String.join(" ", server.hosts()));
            xml.attribute("interfaces", String.join(" ", server.interfaces()));
            if (on("request-bucket")) {
                requests(server);
            }
            if (on("profile-bucket")) {
                // with one virtual server the buckets are its own even where they are not kept apart
                profileBuckets(profiles, servers.size() == 1 ? profiles : server.buckets());
            }
            xml.end();
        }
    }

    private void requests(Facts.VirtualServer server) throws XMLStreamException {
        Facts.Requests r = server.requests();
        Readings.Rate sampled = readings.server(server.id());
        TrafficFigures.Figure rate = r.rate();
        String method = r.lastMethod();
        String uri = r.lastUri();
        xml.empty("request-bucket");
        xml.attribute("method", method == null ? "-" : method);
        xml.attribute("uri", uri == null ? "-" : uri);
        xml.attribute("countRequests", r.count());
        xml.attribute("countBytesReceived", r.bytesReceived());
        xml.attribute("countBytesTransmitted", r.bytesSent());
        xml.attribute("rateBytesTransmitted", rate == null ? Math.round(sampled.now()) : rate.now());
        xml.attribute("maxByteTransmissionRate", rate == null ? Math.round(sampled.peak()) : rate.most());
        xml.attribute("countOpenConnections", r.openConnections());
        xml.attribute("maxOpenConnections", r.peakConnections());
        Facts.Statuses statuses = r.byStatus();
        for (int hundred = 2; hundred <= 5; hundred++) {
            xml.attribute("count" + hundred + "xx", statuses.between(hundred * 100, hundred * 100 + 99));
        }
        xml.attribute("countOther", statuses.between(0, 199) + statuses.between(600, 999));
        for (int status : new int[] {200, 302, 304, 400, 401, 403, 404, 503}) {
            xml.attribute("count" + status, statuses.of(status));
        }
    }

    private void profileBuckets(List<Facts.Bucket> profiles, List<Facts.Bucket> buckets) throws XMLStreamException {
        for (Facts.Bucket b : buckets) {
            int number = number(profiles, b.name());
            if (number >= 0) {
                xml.empty("profile-bucket");
                xml.attribute("profile", "profile-" + number);
                xml.attribute("countCalls", b.invocations());
                xml.attribute("countRequests", b.requests());
                xml.attribute("ticksDispatch", b.dispatchNanos() / NANOS_PER_TICK);
                xml.attribute("ticksFunction", b.functionNanos() / NANOS_PER_TICK);
            }
        }
    }

    private static int number(List<Facts.Bucket> profiles, String name) {
        for (int i = 0; i < profiles.size(); i++) {
            if (profiles.get(i).name().equals(name)) {
                return i;
            }
        }
        return -1;
    }

    /** The buckets with their sum in front, as profile-0 all-requests. */
    private List<Facts.Bucket> profiles() {
        List<Facts.Bucket> buckets = source.buckets();
        long requests = source.virtualServers().stream()
                .mapToLong(v -> v.requests().count())
                .sum();
        List<Facts.Bucket> all = new ArrayList<>();
        all.add(new Facts.Bucket(
                "all-requests",
                "All requests",
                requests,
                buckets.stream().mapToLong(Facts.Bucket::invocations).sum(),
                buckets.stream().mapToLong(Facts.Bucket::dispatchNanos).sum(),
                buckets.stream().mapToLong(Facts.Bucket::functionNanos).sum()));
        all.addAll(buckets);
        return all;
    }

    private void cpus() throws XMLStreamException {
        for (Readings.Cpu cpu : readings.cpus()) {
            xml.empty("cpu-info");
            xml.attribute("cpu", cpu.number());
            xml.attribute("percentIdle", decimal(cpu.idle()));
            xml.attribute("percentUser", decimal(cpu.user()));
            xml.attribute("percentKernel", decimal(cpu.kernel()));
        }
    }

    private boolean on(String element) {
        return !"0".equals(switches.get(element));
    }

    private void averages(String prefix, Facts.Averages a) throws XMLStreamException {
        xml.attribute(prefix + "1MinuteAverage", decimal(a.one()));
        xml.attribute(prefix + "5MinuteAverage", decimal(a.five()));
        xml.attribute(prefix + "15MinuteAverage", decimal(a.fifteen()));
    }

    private static String decimal(double value) {
        return String.format(Locale.ROOT, "%.4f", value);
    }
}
