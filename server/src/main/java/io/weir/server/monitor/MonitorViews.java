package io.weir.server.monitor;

import io.weir.base.Clock;
import io.weir.base.Log;
import io.weir.base.Stats;
import io.weir.server.admin.AdminAnswer;
import io.weir.server.admin.AdminRequest;
import io.weir.server.admin.AdminRouter;
import io.weir.server.admin.AdminRouter.Where;
import io.weir.server.monitor.jmx.JmxViews;
import io.weir.server.monitor.source.Facts;
import io.weir.server.monitor.source.MonitorSource;
import io.weir.server.monitor.source.ProcFiles;
import io.weir.server.monitor.source.Readings;
import io.weir.server.monitor.source.Sampler;
import io.weir.server.monitor.source.TrafficFigures;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import javax.xml.stream.XMLStreamException;
import org.jspecify.annotations.Nullable;

/**
 * All monitoring views, ready to be registered with the admin router. Shared; lives as long as the server. All but the
 * thread dump answer on the admin loop and never block.
 */
public final class MonitorViews implements AutoCloseable {
    private static final int MAX_REFRESH = 86_400;

    private final MonitorSource source;
    private final Stats stats;
    private final Clock clock;
    private final Sampler sampler;
    private final PrometheusView prometheus;
    private final HealthView health;
    private boolean warming;
    private boolean supervised;
    private volatile @Nullable JmxViews jmx;

    /** Views of the source and the registry. */
    public MonitorViews(MonitorSource source, Stats stats, Clock clock) {
        this.source = source;
        this.stats = stats;
        this.clock = clock;
        this.sampler = new Sampler(source, clock, new ProcFiles(Path.of("/proc")));
        this.prometheus = new PrometheusView(stats, new JvmMetrics(source, sampler::latest));
        this.health = new HealthView(source);
    }

    /** Registers the views. */
    public void register(AdminRouter router) {
        router.vital("/.perf", "/metrics", "/health", "/health/ready");
        router.get("/", _ -> AdminAnswer.html(new IndexPage(source.identity(), router::answers, supervised).write()));
        router.shared("/.perf", _ -> "", _ -> perfdump(), MonitorViews::refreshed);
        router.get("/stats-xml", this::statsXml).get("/stats-xml/*", this::statsXml);
        router.get("/" + DocumentType.NAME, _ -> documentType());
        router.get("/nsc", this::cachePage).get("/nsfc", this::cachePage);
        router.shared("/metrics", MonitorViews::format, this::metrics, (_, answer) -> answer);
        router.get("/origins", _ -> AdminAnswer.json(200, OriginsText.json(source.origins())));
        router.get("/traffic", r -> traffic(r, TrafficText::json));
        router.first("/health", _ -> health.full());
        router.first("/health/ready", _ -> health.readiness());
        router.first("/health/live", _ -> health.liveness());
        router.on("GET", "/threads", Where.THREAD, _ -> AdminAnswer.text(ThreadDump.write()));
    }

    /** Registers the views that the supervisor of several processes requests from each. */
    public void registerFigures(AdminRouter router) {
        // on the loop, like its perfdump: work that blocks the few threads does not delay the supervisor's
        router.vital("/figures").shared("/figures", _ -> "", _ -> AdminAnswer.json(200, figures()), (_, a) -> a);
        router.get("/figures/traffic", r -> traffic(r, Snapshot.Traffic::json));
        router.get("/figures/cache", r -> AdminAnswer.json(200, Snapshot.CacheState.of(source, CacheQuery.listed(r))));
        supervised = true;
        warming = true;
    }

    private String figures() {
        return Snapshot.of(source, stats.collecting()).json();
    }

    /** Loads the classes that write the text outside the loop, which has other views to write. */
    private void warm() {
        if (warming) {
            warming = false;
            Thread.ofPlatform().daemon().name("weir.admin warms").start(this::figures);
        }
    }

    /** Takes a sample; to be called once a second on the admin loop. */
    public void sample() {
        warm();
        source.second();
        sampler.sample();
        JmxViews beans = jmx;
        if (beans != null) {
            beans.refresh();
        }
    }

    /**
     * Shows the statistics as MBeans of the platform's MBean server, from the first sample on that finds one.
     *
     * @param beans null until something uses JMX, see {@link #platformBeans}
     */
    public void registerBeans(Supplier<@Nullable MBeanServer> beans, Log log) {
        jmx = new JmxViews(beans, source, stats, sampler::latest, log);
    }

    /**
     * The platform's MBean server if there is one in this JVM: an agent or a tool that attaches makes it. Making it for
     * nobody would cost each start a fifth of its processor time.
     */
    public static @Nullable MBeanServer platformBeans() {
        return MBeanServerFactory.findMBeanServer(null).isEmpty() ? null : ManagementFactory.getPlatformMBeanServer();
    }

    /** Unregisters the MBeans; the views are not used after their listener is closed. */
    @Override
    public void close() {
        JmxViews beans = jmx;
        if (beans != null) {
            jmx = null;
            beans.close();
        }
    }

    /** The latest sample. */
    Readings readings() {
        return sampler.latest();
    }

    private AdminAnswer perfdump() {
        String text = new Perfdump(source, ZoneId.systemDefault(), clock.millis()).write(stats.collecting());
        return AdminAnswer.text(text);
    }

    private AdminAnswer statsXml(AdminRequest request) throws XMLStreamException {
        if (request.path().endsWith(".dtd")) {
            return documentType();
        }
        String text = new StatsXml(source, sampler.latest(), request.query(), clock.millis()).write(stats.collecting());
        return refreshed(request, AdminAnswer.xml(text));
    }

    /** The document type of stats-xml, which needs no request to a process. */
    public static AdminAnswer documentType() {
        return AdminAnswer.of(200, "application/xml-dtd; charset=utf-8", DocumentType.text());
    }

    private AdminAnswer cachePage(AdminRequest request) {
        AdminAnswer other = CacheQuery.refused(request);
        if (other != null) {
            return other;
        }
        int listed = CacheQuery.listed(request);
        Facts.Identity id = source.identity();
        return refreshed(
                request,
                AdminAnswer.html(new CachePage(ZoneId.systemDefault())
                        .write(
                                id.product(),
                                List.of(id.pid()),
                                source.cache(),
                                listed == 0 ? null : source.cacheEntries(listed))));
    }

    private AdminAnswer traffic(AdminRequest request, Function<List<TrafficFigures>, String> form) {
        int clients = clients(request);
        return clients < 0 ? wrongClients() : AdminAnswer.json(200, form.apply(source.traffic(clients)));
    }

    /** The number of clients that a request for {@code /traffic} wants; -1 if it is none. */
    public static int clients(AdminRequest request) {
        String given = request.parameter("clients");
        return given == null ? TrafficFigures.CLIENTS : number(given, TrafficFigures.MAX_CLIENTS);
    }

    /** The answer to a number of clients that is none. */
    public static AdminAnswer wrongClients() {
        return AdminAnswer.problem(
                400, "Bad request", "clients takes a number from 1 to " + TrafficFigures.MAX_CLIENTS + ".");
    }

    private static String format(AdminRequest request) {
        return PrometheusView.isOpen(request.field("accept")) ? "OpenMetrics" : "text";
    }

    private AdminAnswer metrics(AdminRequest request) throws IOException {
        var _ = source.cluster(); // parts with separate series are refreshed
        PrometheusView.Exposition exposition = prometheus.write(request.field("accept"));
        return AdminAnswer.of(200, exposition.contentType(), exposition.text());
    }

    /** The answer as a page that reloads every {@code ?refresh=} seconds; 400 if that is not such a number. */
    public static AdminAnswer refreshed(AdminRequest request, AdminAnswer answer) {
        String refresh = request.parameter("refresh");
        if (refresh == null) {
            return answer;
        }
        int seconds = number(refresh, MAX_REFRESH);
        return seconds < 0
                ? AdminAnswer.problem(400, "Bad request", "refresh takes seconds from 1 to " + MAX_REFRESH + ".")
                : answer.with("Refresh", Integer.toString(seconds));
    }

    /** A plain decimal number from 1 to the maximum, or -1. */
    static int number(@Nullable String text, int max) {
        if (text == null || !text.matches("[0-9]{1,6}")) {
            return -1;
        }
        int value = Integer.parseInt(text);
        return value < 1 || value > max ? -1 : value;
    }
}
