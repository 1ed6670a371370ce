package io.weir.server.monitor;

import io.weir.server.figures.Texts;
import io.weir.server.figures.cluster.ClusterFigures;
import io.weir.server.figures.kernel.Jvm;
import io.weir.server.figures.kernel.KernelDeclarations;
import io.weir.server.figures.kernel.PoolDeclarations;
import io.weir.server.figures.kernel.ServerDeclarations;
import io.weir.server.figures.messaging.MessagingFigures;
import io.weir.server.monitor.source.Facts;
import io.weir.server.monitor.source.MonitorSource;
import io.weir.server.monitor.source.Readings;
import io.weir.server.monitor.source.TrafficFigures;
import io.weir.server.monitor.text.FigureViews;
import io.weir.server.monitor.text.XmlOut;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/**
 * Writes stats-xml: the element tree of the Sun proxy, each element switchable by a query parameter of its name. A
 * switched-off element takes its children with it. Confined to the call; made anew for each report.
 */
final class StatsXml {
    /** Elements of thread at most. */
    static final int MAX_THREADS = 1000;

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
        ServerDeclarations.Running running = new ServerDeclarations.Running(id, readings, now);
        List<PoolDeclarations.Row> pools = pools();
        List<Facts.Bucket> profiles = profiles();
        xml.start("server");
        FigureViews.attributes(ServerDeclarations.SERVER, running, xml);
        FigureViews.elements(KernelDeclarations.QUEUE_NAME, List.of(source.queue()), this::on, xml);
        FigureViews.elements(PoolDeclarations.NAME, pools, this::on, xml);
        for (int i = 0; i < profiles.size() && on("profile"); i++) {
            xml.empty("profile");
            xml.attribute("id", "profile-" + i);
            xml.attribute("name", profiles.get(i).name());
            xml.attribute("description", profiles.get(i).description());
        }
        if (on("process")) {
            process(running, pools);
        }
        if (on("virtual-server")) {
            virtualServers(profiles);
        }
        FigureViews.elements(ServerDeclarations.CPU, readings.cpus(), this::on, xml);
        xml.end();
    }

    private List<PoolDeclarations.Row> pools() {
        List<Facts.Pool> pools = source.pools();
        List<PoolDeclarations.Row> rows = new ArrayList<>();
        for (Facts.Pool p : pools) {
            rows.add(new PoolDeclarations.Row(rows.size(), p, readings.throughput(p.name())));
        }
        return rows;
    }

    private void process(ServerDeclarations.Running running, List<PoolDeclarations.Row> pools)
            throws XMLStreamException {
        xml.start("process");
        FigureViews.attributes(ServerDeclarations.PROCESS, running, xml);
        FigureViews.elements(KernelDeclarations.QUEUE, List.of(source.queue()), this::on, xml);
        FigureViews.elements(PoolDeclarations.POOL, pools, this::on, xml);
        if (on("host-dns-bucket")) {
            dns("host-dns-bucket", source.hostDns());
        }
        if (on("client-dns-bucket")) {
            dns("client-dns-bucket", source.clientDns());
        }
        FigureViews.elements(KernelDeclarations.KEEP_ALIVE, List.of(source.keepAlive()), this::on, xml);
        if (on("http2-bucket")) {
            http2(source.http2());
        }
        if (on("cache-bucket")) {
            cache(source.cache());
        }
        if (on("thread")) {
            threads();
        }
        FigureViews.elements(ServerDeclarations.JVM, List.of(Jvm.now()), this::on, xml);
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
            xml.attribute("connection-queue", KernelDeclarations.QUEUE_ID);
            xml.attribute("virtual-server", row.virtualServer());
            xml.attribute("addressClient", row.client());
            xml.attribute("timeRequestStarted", row.started() / 1000);
            xml.end();
        }
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
                xml.attribute("ticksDispatch", b.dispatchNanos() / Texts.NANOS_PER_TICK);
                xml.attribute("ticksFunction", b.functionNanos() / Texts.NANOS_PER_TICK);
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

    private boolean on(String element) {
        return !"0".equals(switches.get(element));
    }
}
