package io.weir.server.monitor;

import io.weir.proxy.program.run.PerformanceBuckets;
import io.weir.server.figures.FigureGroup;
import io.weir.server.figures.cluster.ClusterFigures;
import io.weir.server.figures.http.BucketDeclarations;
import io.weir.server.figures.http.CacheDeclarations;
import io.weir.server.figures.http.Http2Declarations;
import io.weir.server.figures.http.TrafficDeclarations;
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
import io.weir.server.monitor.text.XmlText;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/**
 * Writes stats-xml: the element tree of the Sun proxy, each element switchable by a query parameter of its name. A
 * switched-off element takes its children with it. Confined to the call; created for each report.
 */
final class StatsXml {
    /** Maximum number of thread elements. */
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
     * @param switches query parameters: an element's name with the value 0 omits it
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

    /** The document; without a server element if statistics are off. */
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
        return XmlText.document(text.toString());
    }

    private void server(Facts.Identity id) throws XMLStreamException {
        List<PoolDeclarations.Row> pools = pools();
        List<BucketDeclarations.Row> profiles = profiles(
                source.buckets(),
                source.virtualServers().stream()
                        .mapToLong(v -> v.requests().count())
                        .sum());
        ServerDeclarations.Running running = new ServerDeclarations.Running(id, readings, now, !profiles.isEmpty());
        xml.start("server");
        FigureViews.attributes(ServerDeclarations.SERVER, running, xml);
        one(KernelDeclarations.QUEUE_NAME, source::queue);
        FigureViews.elements(PoolDeclarations.NAME, pools, this::on, xml);
        FigureViews.elements(BucketDeclarations.NAME, profiles, this::on, xml);
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
        one(KernelDeclarations.QUEUE, source::queue);
        FigureViews.elements(PoolDeclarations.POOL, pools, this::on, xml);
        one(CacheDeclarations.HOST_DNS, source::hostDns);
        one(CacheDeclarations.CLIENT_DNS, source::clientDns);
        one(KernelDeclarations.KEEP_ALIVE, source::keepAlive);
        Facts.Http2 http2 = source.http2();
        List<Facts.Http2> spoken = http2.equals(Facts.Http2.NONE) ? List.of() : List.of(http2);
        FigureViews.elements(Http2Declarations.HTTP2, spoken, this::on, xml);
        one(CacheDeclarations.CACHE, source::cache);
        Facts.DiskCache disk = source.diskCache();
        FigureViews.elements(CacheDeclarations.DISK, disk.enabled() ? List.of(disk) : List.of(), this::on, xml);
        FigureViews.elements(CacheDeclarations.PARTITION, source.diskPartitions(), this::on, xml);
        if (on("thread")) {
            threads(running.id().pid());
        }
        one(ServerDeclarations.JVM, Jvm::now);
        new StatsXmlWork(xml, this::on).write(source.work());
        new StatsXmlTls(xml, this::on, now).write(source.tls());
        if (on("qos-bucket")) {
            FigureViews.elements(TrafficDeclarations.QOS, source.traffic(TrafficFigures.CLIENTS), this::on, xml);
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

    private void threads(long pid) throws XMLStreamException {
        for (Facts.SessionRow row : source.sessionRows(MAX_THREADS)) {
            xml.start("thread");
            FigureViews.attributes(TrafficDeclarations.SESSION, new TrafficDeclarations.Session(pid, row, now), xml);
            xml.end();
        }
    }

    private void virtualServers(List<BucketDeclarations.Row> profiles) throws XMLStreamException {
        List<Facts.VirtualServer> servers = source.virtualServers();
        for (Facts.VirtualServer server : servers) {
            xml.start("virtual-server");
            FigureViews.attributes(TrafficDeclarations.SERVER, server, xml);
            TrafficDeclarations.Served served = new TrafficDeclarations.Served(server, readings.server(server.id()));
            FigureViews.elements(TrafficDeclarations.REQUESTS, List.of(served), this::on, xml);
            // with one virtual server all buckets belong to it, and so does all that is known of them
            List<BucketDeclarations.Row> buckets = servers.size() == 1
                    ? profiles
                    : profiles(server.buckets(), server.requests().count());
            FigureViews.elements(BucketDeclarations.BUCKET, buckets, this::on, xml);
            xml.end();
        }
    }

    /** The buckets, preceded by their sum as profile-0 all-requests; none if nothing is counted. */
    private static List<BucketDeclarations.Row> profiles(List<Facts.Bucket> buckets, long requests) {
        List<BucketDeclarations.Row> rows = new ArrayList<>();
        if (!buckets.isEmpty()) {
            rows.add(row(rows.size(), all(buckets, requests)));
        }
        buckets.forEach(b -> rows.add(row(rows.size(), b)));
        return rows;
    }

    private static BucketDeclarations.Row row(int number, Facts.Bucket bucket) {
        return new BucketDeclarations.Row(number, bucket, BucketDeclarations.Totals.NONE);
    }

    private static Facts.Bucket all(List<Facts.Bucket> buckets, long requests) {
        return new Facts.Bucket(
                PerformanceBuckets.ALL,
                "All requests",
                requests,
                buckets.stream().mapToLong(Facts.Bucket::invocations).sum(),
                buckets.stream().mapToLong(Facts.Bucket::dispatchNanos).sum(),
                buckets.stream().mapToLong(Facts.Bucket::functionNanos).sum());
    }

    /** Elements that are switched off are not computed. */
    private <T> void one(FigureGroup<T> group, Supplier<T> thing) throws XMLStreamException {
        if (on(group.element())) {
            FigureViews.element(group, thing.get(), xml);
        }
    }

    private boolean on(String element) {
        return !"0".equals(switches.get(element));
    }
}
