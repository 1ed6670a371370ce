package io.weir.server.monitor;

import io.weir.server.admin.Json;
import io.weir.server.monitor.source.TrafficFigures;
import io.weir.server.monitor.source.TrafficFigures.Figure;
import io.weir.server.monitor.text.PerfdumpLines;
import io.weir.server.monitor.text.TextTable;
import io.weir.server.monitor.text.XmlOut;
import java.math.BigDecimal;
import java.util.List;
import java.util.stream.Collectors;
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
        return all.stream().map(TrafficText::object).collect(Collectors.joining(",\n", "[", "]\n"));
    }

    private static String object(TrafficFigures f) {
        return "{\"scope\":" + Json.quote(f.scope())
                + ",\"name\":" + Json.quote(f.name())
                + ",\"connections\":" + object(f.connections())
                + ",\"requestsPerSecond\":" + object(f.requestRate())
                + ",\"bytesPerSecond\":" + object(f.byteRate())
                + ",\"requests\":" + f.requests()
                + ",\"bytes\":" + f.bytes() + "}";
    }

    private static String object(Figure f) {
        return "{\"current\":" + f.now() + ",\"peak\":" + f.most() + ",\"limit\":" + plain(f.limit()) + "}";
    }
}
