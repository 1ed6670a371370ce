package io.weir.server.figures.http;

import io.weir.proxy.context.EngineStats;
import io.weir.proxy.qos.QosStats;
import io.weir.server.figures.Figure;
import io.weir.server.figures.FigureGroup;
import io.weir.server.figures.kernel.KernelDeclarations;
import io.weir.server.monitor.source.Facts;
import io.weir.server.monitor.source.Facts.VirtualServer;
import io.weir.server.monitor.source.Readings;
import io.weir.server.monitor.source.TrafficFigures;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Every figure of requests and of their clients, once: perfdump, stats-xml with its document type, JSON and
 * docs/figures.md follow.
 */
public final class TrafficDeclarations {
    /** A request being handled by or below a process, at a time in milliseconds since the epoch. */
    public record Session(long process, Facts.SessionRow row, long now) {}

    /** A virtual server with its sampled rate. */
    public record Served(VirtualServer server, Readings.Rate sampled) {
        private Facts.Requests requests() {
            return server.requests();
        }

        private long rate() {
            TrafficFigures.Figure rate = requests().rate();
            return rate == null ? Math.round(sampled.now()) : rate.now();
        }

        private long peakRate() {
            TrafficFigures.Figure rate = requests().rate();
            return rate == null ? Math.round(sampled.peak()) : rate.most();
        }
    }

    /** A request that is handled: the Sun proxy's thread. */
    public static final FigureGroup<Session> SESSION = new FigureGroup<>(
                    "A request being handled",
                    "thread",
                    null,
                    "Sessions:",
                    List.of(
                            Figure.<Session>count(
                                            "",
                                            "The process that handles it.",
                                            s -> s.row().pid() == 0
                                                    ? s.process()
                                                    : s.row().pid())
                                    .column("Process"),
                            Figure.<Session>text(
                                            "What is done for it.", s -> s.row().status())
                                    .column("Status")
                                    .attribute(
                                            "mode",
                                            "unknown",
                                            "idle",
                                            "DNS",
                                            "request",
                                            "queued",
                                            "awaiting-fetch",
                                            "awaiting-connection",
                                            "processing",
                                            "response",
                                            "updating",
                                            "tunnel",
                                            "keep-alive",
                                            "stuck"),
                            started().attribute("timeStarted"),
                            Figure.<Session>text(
                                            "The client's address.",
                                            s -> s.row().client())
                                    .column("Client")
                                    .attribute("addressClient")
                                    .implied(),
                            Figure.<Session>count(
                                            "seconds",
                                            "How long ago that was.",
                                            s -> Math.max(0, (s.now() - s.row().started()) / 1000))
                                    .column("Age"),
                            Figure.<Session>text(
                                            "Its virtual server.", s -> s.row().virtualServer())
                                    .column("VS")
                                    .attribute("virtual-server")
                                    .implied(),
                            Figure.<Session>text("Its method.", s -> s.row().method())
                                    .column("Method"),
                            Figure.<Session>text("Its URI.", s -> s.row().uri()).column("URI"),
                            Figure.<Session>text(
                                            "The function that runs.",
                                            s -> s.row().function())
                                    .column("Function")
                                    .attribute("function")
                                    .implied(),
                            Figure.<Session>text("The id of connection-queue.", _ -> KernelDeclarations.QUEUE_ID)
                                    .attribute("connection-queue"),
                            started().attribute("timeRequestStarted").implied()))
            .writing("function", "addressClient")
            .writing("connection-queue", "addressClient")
            .writing("virtual-server", "addressClient");

    /** A virtual server. */
    public static final FigureGroup<VirtualServer> SERVER = new FigureGroup<>(
            "A virtual server",
            "virtual-server",
            null,
            "",
            List.of(
                    Figure.<VirtualServer>text("The virtual server's name.", VirtualServer::id)
                            .attribute("id"),
                    Figure.<VirtualServer>text("active, or disabled.", v -> v.active() ? "active" : "disabled")
                            .attribute("mode", "unknown", "active", "disabled"),
                    Figure.<VirtualServer>text("Its hosts.", v -> String.join(" ", v.hosts()))
                            .attribute("hosts"),
                    Figure.<VirtualServer>text("Its listeners.", v -> String.join(" ", v.interfaces()))
                            .attribute("interfaces")));

    /** The traffic of a virtual server. */
    public static final FigureGroup<Served> REQUESTS =
            new FigureGroup<>("The traffic of a virtual server", "request-bucket", null, "", requests());

    /** The usage of a listener, a virtual server or a client, and its limits. */
    public static final FigureGroup<TrafficFigures> QOS = new FigureGroup<>(
                    "Quality of service",
                    "qos-bucket",
                    null,
                    "QualityOfService (Current/Peak/Limit):",
                    List.of(
                            Figure.<TrafficFigures>text("listener, virtual-server or client.", TrafficFigures::scope)
                                    .column("Scope")
                                    .attribute("scope", "listener", "virtual-server", "client")
                                    .member("scope"),
                            Figure.<TrafficFigures>text("Its name; a client's address.", TrafficFigures::name)
                                    .column("Name")
                                    .attribute("id")
                                    .member("name"),
                            Figure.<TrafficFigures>count(
                                            QosStats.CONNECTIONS,
                                            f -> f.connections().now())
                                    .column("Connections", f -> slashes(f.connections()))
                                    .attribute("countOpenConnections")
                                    .member("connections.current"),
                            Figure.<TrafficFigures>count(
                                            QosStats.CONNECTIONS_MOST,
                                            f -> f.connections().most())
                                    .attribute("maxOpenConnections")
                                    .member("connections.peak"),
                            limit("connections", TrafficFigures::connections)
                                    .attribute("limitConnections", f -> plain(f.connections()))
                                    .member("connections.limit", f -> exact(f.connections())),
                            Figure.<TrafficFigures>count(
                                            QosStats.REQUEST_RATE,
                                            f -> f.requestRate().now())
                                    .column("Requests/s", f -> slashes(f.requestRate()))
                                    .attribute("rateRequests")
                                    .member("requestsPerSecond.current"),
                            Figure.<TrafficFigures>count(
                                            QosStats.REQUEST_RATE_MOST,
                                            f -> f.requestRate().most())
                                    .attribute("maxRequestRate")
                                    .member("requestsPerSecond.peak"),
                            limit("requests/s", TrafficFigures::requestRate)
                                    .attribute("limitRequestRate", f -> plain(f.requestRate()))
                                    .member("requestsPerSecond.limit", f -> exact(f.requestRate())),
                            Figure.<TrafficFigures>count(
                                            QosStats.BYTE_RATE,
                                            f -> f.byteRate().now())
                                    .column("Bytes/s", f -> slashes(f.byteRate()))
                                    .attribute("rateBytesTransmitted")
                                    .member("bytesPerSecond.current"),
                            Figure.<TrafficFigures>count(
                                            QosStats.BYTE_RATE_MOST,
                                            f -> f.byteRate().most())
                                    .attribute("maxByteTransmissionRate")
                                    .member("bytesPerSecond.peak"),
                            limit("bytes/s", TrafficFigures::byteRate)
                                    .attribute("limitByteTransmissionRate", f -> plain(f.byteRate()))
                                    .member("bytesPerSecond.limit", f -> exact(f.byteRate())),
                            Figure.<TrafficFigures>count(
                                            "requests",
                                            "Requests so far, without those refused.",
                                            TrafficFigures::requests)
                                    .column("Requests")
                                    .attribute("countRequests")
                                    .member("requests"),
                            Figure.<TrafficFigures>count("bytes", "Bytes sent so far.", TrafficFigures::bytes)
                                    .column("Bytes")
                                    .attribute("countBytesTransmitted")
                                    .member("bytes")))
            .writing("countRequests", "rateRequests")
            .writing("countBytesTransmitted", "rateBytesTransmitted")
            .inJson("countRequests", null)
            .inJson("countBytesTransmitted", null);

    /** All of them, in the order of stats-xml. */
    public static final List<FigureGroup<?>> ALL = List.of(SESSION, QOS, SERVER, REQUESTS);

    private TrafficDeclarations() {}

    private static Figure<Session> started() {
        return Figure.count(
                "seconds",
                "When its head was complete, from 1970.",
                s -> s.row().started() / 1000);
    }

    private static List<Figure<Served>> requests() {
        List<Figure<Served>> all = new ArrayList<>(List.of(
                Figure.<Served>text(
                                "The latest request's method; - before the first.",
                                s -> dash(s.requests().lastMethod()))
                        .attribute("method"),
                Figure.<Served>text(
                                "The latest request's URI; - before the first.",
                                s -> dash(s.requests().lastUri()))
                        .attribute("uri"),
                Figure.<Served>count(EngineStats.REQUESTS, s -> s.requests().count())
                        .attribute("countRequests"),
                Figure.<Served>count(
                                EngineStats.BYTES_RECEIVED, s -> s.requests().bytesReceived())
                        .attribute("countBytesReceived"),
                Figure.<Served>count(EngineStats.BYTES_SENT, s -> s.requests().bytesSent())
                        .attribute("countBytesTransmitted"),
                Figure.<Served>count("bytes a second", "Bytes sent in the latest second.", Served::rate)
                        .attribute("rateBytesTransmitted"),
                Figure.<Served>count("bytes a second", "The most of them in any second.", Served::peakRate)
                        .attribute("maxByteTransmissionRate"),
                Figure.<Served>count(
                                "connections",
                                "Its open connections.",
                                s -> s.requests().openConnections())
                        .attribute("countOpenConnections"),
                Figure.<Served>count(
                                "connections",
                                "The most of them at once.",
                                s -> s.requests().peakConnections())
                        .attribute("maxOpenConnections")));
        for (int hundred = 2; hundred <= 5; hundred++) {
            int first = hundred * 100;
            all.add(statuses(hundred + "xx", s -> s.between(first, first + 99)));
        }
        all.add(statuses("Other", s -> s.between(0, 199) + s.between(600, 999)));
        for (int status : new int[] {200, 302, 304, 400, 401, 403, 404, 503}) {
            all.add(statuses(Integer.toString(status), s -> s.of(status)));
        }
        return all;
    }

    private static Figure<Served> statuses(String name, Function<Facts.Statuses, Long> count) {
        String what = name.equals("Other") ? "another status" : "status " + name;
        return Figure.<Served>count(
                        "responses",
                        "Answers with " + what + ".",
                        s -> count.apply(s.requests().byStatus()))
                .attribute("count" + name);
    }

    private static String dash(@Nullable String text) {
        return text == null ? "-" : text;
    }

    private static Figure<TrafficFigures> limit(String unit, Function<TrafficFigures, TrafficFigures.Figure> of) {
        return Figure.decimal(
                unit, "Most that it may; 0: no limit.", f -> of.apply(f).limit());
    }

    private static String slashes(TrafficFigures.Figure f) {
        return f.now() + "/" + f.most() + "/" + plain(f);
    }

    private static String plain(TrafficFigures.Figure f) {
        return BigDecimal.valueOf(f.limit()).stripTrailingZeros().toPlainString();
    }

    private static Object exact(TrafficFigures.Figure f) {
        return BigDecimal.valueOf(f.limit());
    }
}
