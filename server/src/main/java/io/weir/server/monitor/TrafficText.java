package io.weir.server.monitor;

import io.weir.server.json.Json;
import io.weir.server.monitor.source.TrafficFigures;
import io.weir.server.monitor.source.TrafficFigures.Figure;
import io.weir.server.monitor.text.PerfdumpLines;
import io.weir.server.monitor.text.TextTable;
import io.weir.server.monitor.text.XmlOut;
import java.math.BigDecimal;
import java.util.List;
import javax.xml.stream.XMLStreamException;

/** Writes what listeners, virtual servers and clients use: perfdump's section, stats-xml's elements, JSON. Stateless. */
final class TrafficText {
    private TrafficText() {}

    /** Perfdump's section, behind those of the Sun proxy; nothing while nothing is counted. */
    static void perfdump(List<TrafficFigures> all, StringBuilder text) {
        if (all.isEmpty()) {
            return;
        }
        TextTable table = new TextTable("Scope", "Name", "Connections", "Requests/s", "Bytes/s", "Requests", "Bytes");
        for (TrafficFigures f : all) {
            table.row(
                    f.scope(),
                    f.name(),
                    slashes(f.connections()),
                    slashes(f.requestRate()),
                    slashes(f.byteRate()),
                    PerfdumpLines.number(f.requests()),
                    PerfdumpLines.number(f.bytes()));
        }
        new PerfdumpLines(text).table("QualityOfService (Current/Peak/Limit):", table, all.size());
    }

    private static String slashes(Figure f) {
        return f.now() + "/" + f.most() + "/" + plain(f.limit());
    }

    private static String plain(double number) {
        return BigDecimal.valueOf(number).stripTrailingZeros().toPlainString();
    }

    /** Elements of stats-xml. */
    static void xml(List<TrafficFigures> all, XmlOut xml) throws XMLStreamException {
        for (TrafficFigures f : all) {
            xml.empty("qos-bucket");
            xml.attribute("scope", f.scope());
            xml.attribute("id", f.name());
            xml.attribute("countOpenConnections", f.connections().now());
            xml.attribute("maxOpenConnections", f.connections().most());
            xml.attribute("limitConnections", plain(f.connections().limit()));
            xml.attribute("countRequests", f.requests());
            xml.attribute("rateRequests", f.requestRate().now());
            xml.attribute("maxRequestRate", f.requestRate().most());
            xml.attribute("limitRequestRate", plain(f.requestRate().limit()));
            xml.attribute("countBytesTransmitted", f.bytes());
            xml.attribute("rateBytesTransmitted", f.byteRate().now());
            xml.attribute("maxByteTransmissionRate", f.byteRate().most());
            xml.attribute("limitByteTransmissionRate", plain(f.byteRate().limit()));
        }
    }

    /** A JSON array. */
    static String json(List<TrafficFigures> all) {
        return Json.rows(all, TrafficText::object);
    }

    private static void object(TrafficFigures f, Json to) {
        to.add("scope", f.scope())
                .add("name", f.name())
                .object("connections", j -> object(f.connections(), j))
                .object("requestsPerSecond", j -> object(f.requestRate(), j))
                .object("bytesPerSecond", j -> object(f.byteRate(), j))
                .add("requests", f.requests())
                .add("bytes", f.bytes());
    }

    private static void object(Figure f, Json to) {
        to.add("current", f.now()).add("peak", f.most()).plain("limit", f.limit());
    }
}
