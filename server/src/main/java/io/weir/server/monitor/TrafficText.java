package io.weir.server.monitor;

import io.weir.server.figures.http.TrafficDeclarations;
import io.weir.server.json.Json;
import io.weir.server.monitor.source.TrafficFigures;
import io.weir.server.monitor.text.FigureViews;
import io.weir.server.monitor.text.PerfdumpLines;
import java.util.List;

/** Writes the usage of listeners, virtual servers and clients: perfdump's section, JSON. Stateless. */
final class TrafficText {
    private TrafficText() {}

    /** Perfdump's section, after those of the Sun proxy; nothing while nothing is counted. */
    static void perfdump(List<TrafficFigures> all, StringBuilder text) {
        if (all.isEmpty()) {
            return;
        }
        FigureViews.table(TrafficDeclarations.QOS, all, all.size(), new PerfdumpLines(text));
    }

    /** A JSON array. */
    static String json(List<TrafficFigures> all) {
        return Json.rows(all, TrafficDeclarations.QOS::members);
    }
}
