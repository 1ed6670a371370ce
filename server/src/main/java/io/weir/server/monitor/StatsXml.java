package io.weir.server.monitor;

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
 * Writes stats-xml: the element tree of the reference, each element switchable by a query parameter of its name. A
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
    }

    /** The document; when statistics are off it has no server. */
    String write(boolean collecting) throws XMLStreamException {
        out.writeStartDocument("utf-8", "1.0");
        out.writeCharacters("\n");
        out.writeDTD("<!DOCTYPE stats SYSTEM \"proxystats.dtd\">");
        out.writeCharacters("\n");
        out.writeStartElement("stats");
        attribute("enabled", collecting);
        attribute("versionMajor", 1);
        attribute("versionMinor", 3);
        if (collecting && on("server")) {
            server(source.identity());
        }
        line();
        out.writeEndElement();
        out.writeCharacters("\n");
        out.writeEndDocument();
        out.close();
        return text.toString();
    }

    private void server(Facts.Identity id) throws XMLStreamException {
        List<Facts.Pool> pools = source.pools();
        List<Facts.Bucket> profiles = profiles();
        start("server");
        serverAttributes(id);
        if (on("connection-queue")) {
            empty("connection-queue");
            attribute("id", QUEUE_ID);
        }
        for (int i = 0; i < pools.size() && on("thread-pool"); i++) {
            empty("thread-pool");
            attribute("id", "thread-pool-" + i);
            attribute("name", pools.get(i).name());
        }
        for (int i = 0; i < profiles.size() && on("profile"); i++) {
            empty("profile");
            attribute("id", "profile-" + i);
            attribute("name", profiles.get(i).name());
            attribute("description", profiles.get(i).description());
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
        end();
    }

    private void serverAttributes(Facts.Identity id) throws XMLStreamException {
        attribute("id", id.id());
        attribute("versionServer", id.product() + " " + id.version());
        attribute("timeStarted", id.serverStarted() / 1000);
        attribute("secondsRunning", Math.max(0, (now - id.serverStarted()) / 1000));
        attribute("ticksPerSecond", TICKS_PER_SECOND);
        attribute("maxProcs", 1);
        attribute("maxThreads", id.maxThreads());
        attribute("flagProfilingEnabled", true);
        averages("load", readings.load());
        attribute("rateBytesTransmitted", Math.round(readings.rateSent()));
        attribute("rateBytesReceived", Math.round(readings.rateReceived()));
        averages("requests", readings.requests());
        averages("errors", readings.errors());
        averages("responseTime", readings.responseTime());
    }

    private void process(Facts.Identity id, List<Facts.Pool> pools) throws XMLStreamException {
        start("process");
        attribute("pid", id.pid());
        attribute("mode", "active");
        attribute("timeStarted", id.processStarted() / 1000);
        attribute("countConfigurations", id.configurations());
        attribute("sizeVirtual", readings.virtualBytes());
        attribute("sizeResident", readings.residentBytes());
        attribute("fractionSystemMemoryUsage", decimal(readings.memoryFraction()));
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
        if (on("cache-bucket")) {
            cache(source.cache());
        }
        if (on("thread")) {
            threads();
        }
        if (on("jvm")) {
            jvm();
        }
        end();
    }

    private void queue(Facts.Queue q) throws XMLStreamException {
        empty("connection-queue-bucket");
        attribute("connection-queue", QUEUE_ID);
        attribute("countTotalConnections", q.connections());
        attribute("countQueued", q.current());
        attribute("peakQueued", q.peak());
        attribute("maxQueued", q.limit());
        attribute("countOverflows", q.overflows());
        attribute("countTotalQueued", q.totalQueued());
        attribute("ticksTotalQueued", q.delayNanos() / NANOS_PER_TICK);
        averages("countQueued", q.averages());
    }

    private void pool(int number, Facts.Pool p) throws XMLStreamException {
        empty("thread-pool-bucket");
        attribute("thread-pool", "thread-pool-" + number);
        attribute("countThreadsIdle", p.idle());
        attribute("countThreads", p.threads());
        attribute("maxThreads", p.maxThreads());
        attribute("countQueued", p.queued());
        attribute("peakQueued", p.peakQueued());
        attribute("maxQueued", p.queueLimit());
    }

    private void dns(String element, Facts.Dns d) throws XMLStreamException {
        empty(element);
        attribute("flagCacheEnabled", d.enabled());
        attribute("countCacheEntries", d.entries());
        attribute("maxCacheEntries", d.maxEntries());
        attribute("countCacheHits", d.hits());
        attribute("countCacheMisses", d.misses());
        attribute("flagAsyncEnabled", d.async());
        attribute("countAsyncNameLookups", d.nameLookups());
        attribute("countAsyncAddrLookups", d.addressLookups());
        attribute("countAsyncLookupsInProgress", d.lookupsInProgress());
    }

    private void keepAlive(Facts.KeepAlive k) throws XMLStreamException {
        empty("keepalive-bucket");
        attribute("countConnections", k.count());
        attribute("maxConnections", k.max());
        attribute("countHits", k.hits());
        attribute("countFlushes", k.flushes());
        attribute("countRefusals", k.refusals());
        attribute("countTimeouts", k.timeOuts());
        attribute("secondsTimeout", k.timeOutSeconds());
    }

    private void cache(Facts.Cache c) throws XMLStreamException {
        empty("cache-bucket");
        attribute("flagEnabled", c.enabled());
        attribute("secondsMaxAge", c.maxAgeSeconds());
        attribute("countEntries", c.entries());
        attribute("maxEntries", c.maxEntries());
        attribute("countOpenEntries", 0);
        attribute("maxOpenEntries", 0);
        attribute("sizeHeapCache", c.bytes());
        attribute("maxHeapCacheSize", c.maxBytes());
        attribute("sizeMmapCache", 0);
        attribute("maxMmapCacheSize", 0);
        attribute("countHits", c.hits());
        attribute("countMisses", c.misses());
        attribute("countInfoHits", c.infoHits());
        attribute("countInfoMisses", c.infoMisses());
        attribute("countContentHits", c.contentHits());
        attribute("countContentMisses", c.contentMisses());
        attribute("countAcceleratorEntries", c.entries());
        attribute("countAcceleratableRequests", c.eligible());
        attribute("countUnacceleratableRequests", Math.max(0, c.requests() - c.eligible()));
        attribute("countAcceleratableResponses", c.storable());
        attribute("countUnacceleratableResponses", Math.max(0, c.answers() - c.storable()));
        attribute("countAcceleratorHits", c.contentHits());
        attribute("countAcceleratorMisses", Math.max(0, c.eligible() - c.contentHits()));
    }

    private void threads() throws XMLStreamException {
        for (Facts.SessionRow row : source.sessionRows(MAX_THREADS)) {
            start("thread");
            attribute("mode", row.status());
            attribute("timeStarted", row.started() / 1000);
            attribute("function", row.function());
            attribute("connection-queue", QUEUE_ID);
            attribute("virtual-server", row.virtualServer());
            attribute("addressClient", row.client());
            attribute("timeRequestStarted", row.started() / 1000);
            end();
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
        empty("jvm");
        attribute("countClassesLoaded", classes.getLoadedClassCount());
        attribute("countTotalClassesLoaded", classes.getTotalLoadedClassCount());
        attribute("countTotalClassesUnloaded", classes.getUnloadedClassCount());
        attribute(
                "sizeHeap",
                ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getCommitted());
        attribute("peakThreads", threads.getPeakThreadCount());
        attribute("countTotalThreadsStarted", threads.getTotalStartedThreadCount());
        attribute("countThreads", threads.getThreadCount());
        attribute("version", runtime.getVmVersion());
        attribute("name", runtime.getVmName());
        attribute("vendor", runtime.getVmVendor());
        attribute("countGarbageCollections", collections);
        attribute("millisecondsGarbageCollection", millis);
    }

    private void virtualServers(List<Facts.Bucket> profiles) throws XMLStreamException {
        List<Facts.VirtualServer> servers = source.virtualServers();
        for (Facts.VirtualServer server : servers) {
            start("virtual-server");
            attribute("id", server.id());
            attribute("mode", server.active() ? "active" : "disabled");
            attribute("hosts", String.join(" ", server.hosts()));
            attribute("interfaces", String.join(" ", server.interfaces()));
            if (on("request-bucket")) {
                requests(server);
            }
            if (on("profile-bucket")) {
                // with one virtual server the buckets are its own even where they are not kept apart
                profileBuckets(profiles, servers.size() == 1 ? profiles : server.buckets());
            }
            end();
        }
    }

    private void requests(Facts.VirtualServer server) throws XMLStreamException {
        Facts.Requests r = server.requests();
        Readings.Rate rate = readings.server(server.id());
        String method = r.lastMethod();
        String uri = r.lastUri();
        empty("request-bucket");
        attribute("method", method == null ? "-" : method);
        attribute("uri", uri == null ? "-" : uri);
        attribute("countRequests", r.count());
        attribute("countBytesReceived", r.bytesReceived());
        attribute("countBytesTransmitted", r.bytesSent());
        attribute("rateBytesTransmitted", Math.round(rate.now()));
        attribute("maxByteTransmissionRate", Math.round(rate.peak()));
        attribute("countOpenConnections", r.openConnections());
        attribute("maxOpenConnections", r.peakConnections());
        Facts.Statuses statuses = r.byStatus();
        for (int hundred = 2; hundred <= 5; hundred++) {
            attribute("count" + hundred + "xx", statuses.between(hundred * 100, hundred * 100 + 99));
        }
        attribute("countOther", statuses.between(0, 199) + statuses.between(600, 999));
        for (int status : new int[] {200, 302, 304, 400, 401, 403, 404, 503}) {
            attribute("count" + status, statuses.of(status));
        }
    }

    private void profileBuckets(List<Facts.Bucket> profiles, List<Facts.Bucket> buckets) throws XMLStreamException {
        for (Facts.Bucket b : buckets) {
            int number = number(profiles, b.name());
            if (number >= 0) {
                empty("profile-bucket");
                attribute("profile", "profile-" + number);
                attribute("countCalls", b.invocations());
                attribute("countRequests", b.requests());
                attribute("ticksDispatch", b.dispatchNanos() / NANOS_PER_TICK);
                attribute("ticksFunction", b.functionNanos() / NANOS_PER_TICK);
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
            empty("cpu-info");
            attribute("cpu", cpu.number());
            attribute("percentIdle", decimal(cpu.idle()));
            attribute("percentUser", decimal(cpu.user()));
            attribute("percentKernel", decimal(cpu.kernel()));
        }
    }

    private boolean on(String element) {
        return !"0".equals(switches.get(element));
    }

    private void averages(String prefix, Facts.Averages a) throws XMLStreamException {
        attribute(prefix + "1MinuteAverage", decimal(a.one()));
        attribute(prefix + "5MinuteAverage", decimal(a.five()));
        attribute(prefix + "15MinuteAverage", decimal(a.fifteen()));
    }

    private static String decimal(double value) {
        return String.format(Locale.ROOT, "%.4f", value);
    }

    private void attribute(String name, boolean flag) throws XMLStreamException {
        attribute(name, flag ? 1 : 0);
    }

    private void attribute(String name, long value) throws XMLStreamException {
        out.writeAttribute(name, Long.toString(value));
    }

    private void attribute(String name, String value) throws XMLStreamException {
        out.writeAttribute(name, XmlText.legal(value));
    }

    private void start(String element) throws XMLStreamException {
        line();
        out.writeStartElement(element);
    }

    private void empty(String element) throws XMLStreamException {
        line();
        out.writeEmptyElement(element);
    }

    private void end() throws XMLStreamException {
        line();
        out.writeEndElement();
    }

    private void line() throws XMLStreamException {
        out.writeCharacters("\n");
    }
}
