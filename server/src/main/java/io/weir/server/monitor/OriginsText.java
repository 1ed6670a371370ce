package io.weir.server.monitor;

import static io.weir.server.monitor.PerfdumpLines.number;

import io.weir.server.admin.Json;
import io.weir.server.monitor.OriginFigures.Server;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import javax.xml.stream.XMLStreamException;

/** Writes pools of origin servers: perfdump's section, stats-xml's elements, JSON. Stateless. */
final class OriginsText {
    private static final double NANOS_PER_MILLI = 1e6;
    private static final long NANOS_PER_TICK = 1_000_000_000L / StatsXml.TICKS_PER_SECOND;

    private OriginsText() {}

    /** Perfdump's section, behind those of the Sun proxy; nothing where there are no pools. */
    static void perfdump(List<OriginFigures> pools, StringBuilder text) {
        if (pools.isEmpty()) {
            return;
        }
        TextTable table = new TextTable(
                "Pool",
                "Server",
                "State",
                "Since",
                "Weight",
                "Active",
                "Requests",
                "Failures",
                "Busy",
                "Downs",
                "Response",
                "Reason");
        for (Server s : OriginFigures.rows(pools)) {
            table.row(
                    s.pool(),
                    s.name(),
                    s.state(),
                    Instant.ofEpochMilli(s.since()).toString(),
                    number(s.weight()),
                    number(s.active()),
                    number(s.requests()),
                    number(s.failures()),
                    number(s.busy()),
                    number(s.downs()),
                    String.format(Locale.ROOT, "%.3f ms", s.meanNanos() / NANOS_PER_MILLI),
                    s.reason());
        }
        new PerfdumpLines(text).table("Origins:", table, OriginFigures.count(pools));
    }

    /** Elements of stats-xml. */
    static void xml(List<OriginFigures> pools, boolean servers, XmlOut xml) throws XMLStreamException {
        int left = servers ? OriginFigures.MAX_ROWS : 0;
        for (OriginFigures p : pools) {
            xml.start("origin-pool-bucket");
            xml.attribute("name", p.pool());
            xml.attribute("balance", p.balance());
            xml.attribute("countRetries", p.retries());
            xml.attribute("countRetriesRefused", p.retriesRefused());
            xml.attribute("countRefusedBusy", p.refusedBusy());
            xml.attribute("countRefusedDown", p.refusedDown());
            xml.attribute("countSticky", p.stickyFollowed());
            xml.attribute("countStickyStrayed", p.stickyStrayed());
            xml.attribute("countStickyUnknown", p.stickyUnknown());
            for (Server s : p.servers().subList(0, Math.min(left, p.servers().size()))) {
                server(s, xml);
                left--;
            }
            xml.end();
        }
    }

    private static void server(Server s, XmlOut xml) throws XMLStreamException {
        xml.empty("origin-server-bucket");
        xml.attribute("name", s.name());
        xml.attribute("route", s.route());
        xml.attribute("mode", s.state());
        xml.attribute("reason", s.reason());
        xml.attribute("timeSince", s.since() / 1000);
        xml.attribute("weight", s.weight());
        xml.attribute("countActive", s.active());
        xml.attribute("countRequests", s.requests());
        xml.attribute("countFailures", s.failures());
        xml.attribute("countBusy", s.busy());
        xml.attribute("countDowns", s.downs());
        xml.attribute("countChecksPassed", s.checksPassed());
        xml.attribute("countChecksFailed", s.checksFailed());
        xml.attribute("countResponses", s.answers());
        xml.attribute("ticksResponse", s.answerNanos() / NANOS_PER_TICK);
    }

    /** A JSON array of pools with their servers. */
    static String json(List<OriginFigures> pools) {
        return pools.stream().map(OriginsText::pool).collect(Collectors.joining(",\n", "[", "]\n"));
    }

    private static String pool(OriginFigures p) {
        return "{\"pool\":" + Json.quote(p.pool())
                + ",\"balance\":" + Json.quote(p.balance())
                + ",\"retries\":" + p.retries()
                + ",\"retriesRefused\":" + p.retriesRefused()
                + ",\"refusedBusy\":" + p.refusedBusy()
                + ",\"refusedDown\":" + p.refusedDown()
                + ",\"sticky\":" + p.stickyFollowed()
                + ",\"stickyStrayed\":" + p.stickyStrayed()
                + ",\"stickyUnknown\":" + p.stickyUnknown()
                + ",\"servers\":"
                + p.servers().stream().map(OriginsText::server).collect(Collectors.joining(",\n ", "[\n ", "]}"));
    }

    private static String server(Server s) {
        return "{\"server\":" + Json.quote(s.name())
                + ",\"route\":" + Json.quote(s.route())
                + ",\"state\":" + Json.quote(s.state())
                + ",\"reason\":" + Json.quote(s.reason())
                + ",\"since\":" + Json.quote(Instant.ofEpochMilli(s.since()).toString())
                + ",\"weight\":" + s.weight()
                + ",\"active\":" + s.active()
                + ",\"requests\":" + s.requests()
                + ",\"failures\":" + s.failures()
                + ",\"busy\":" + s.busy()
                + ",\"downs\":" + s.downs()
                + ",\"checksPassed\":" + s.checksPassed()
                + ",\"checksFailed\":" + s.checksFailed()
                + ",\"responses\":" + s.answers()
                + ",\"responseMicros\":" + s.meanNanos() / 1000 + "}";
    }
}
