package io.weir.server.monitor;

import io.weir.server.figures.origins.OriginDeclarations;
import io.weir.server.figures.origins.OriginFigures;
import io.weir.server.figures.origins.OriginFigures.Server;
import io.weir.server.json.Json;
import io.weir.server.json.Layout;
import io.weir.server.monitor.text.FigureViews;
import io.weir.server.monitor.text.PerfdumpLines;
import io.weir.server.monitor.text.XmlOut;
import java.util.List;
import javax.xml.stream.XMLStreamException;

/** Writes pools of origin servers: perfdump's section, stats-xml's elements, JSON. Stateless. */
final class OriginsText {
    private OriginsText() {}

    /** Perfdump's section, after those of the Sun proxy; nothing if there are no pools. */
    static void perfdump(List<OriginFigures> pools, StringBuilder text) {
        if (!pools.isEmpty()) {
            FigureViews.table(
                    OriginDeclarations.SERVER,
                    OriginFigures.rows(pools),
                    OriginFigures.count(pools),
                    new PerfdumpLines(text));
        }
    }

    /** Elements of stats-xml. */
    static void xml(List<OriginFigures> pools, boolean servers, XmlOut xml) throws XMLStreamException {
        int left = servers ? OriginFigures.MAX_ROWS : 0;
        for (OriginFigures p : pools) {
            xml.start(OriginDeclarations.POOL.element());
            FigureViews.attributes(OriginDeclarations.POOL, p, xml);
            for (Server s : p.servers().subList(0, Math.min(left, p.servers().size()))) {
                FigureViews.element(OriginDeclarations.SERVER, s, xml);
                left--;
            }
            xml.end();
        }
    }

    /** A JSON array of pools with their servers. */
    static String json(List<OriginFigures> pools) {
        return Json.rows(pools, OriginsText::pool);
    }

    private static void pool(OriginFigures p, Json to) {
        OriginDeclarations.POOL.members(p, to);
        to.array("servers", Layout.INDENTED, p.servers(), OriginDeclarations.SERVER::members);
    }
}
