package io.weir.server.monitor;

import static io.weir.server.figures.cluster.ClusterFigures.shown;

import io.weir.server.figures.cluster.ClusterDeclarations;
import io.weir.server.figures.cluster.ClusterFigures;
import io.weir.server.monitor.text.FigureViews;
import io.weir.server.monitor.text.XmlOut;
import java.util.function.Predicate;
import javax.xml.stream.XMLStreamException;

/** Writes stats-xml's elements of the cluster. Confined to the call. */
final class StatsXmlCluster {
    private final XmlOut xml;
    private final Predicate<String> on;

    StatsXmlCluster(XmlOut xml, Predicate<String> on) {
        this.xml = xml;
        this.on = on;
    }

    void write(ClusterFigures c) throws XMLStreamException {
        xml.start(ClusterDeclarations.TOTALS.element());
        FigureViews.attributes(ClusterDeclarations.TOTALS, c.totals(), xml);
        FigureViews.elements(ClusterDeclarations.MEMBER, shown(c.members()), on, xml);
        FigureViews.elements(ClusterDeclarations.LEASE, shown(c.leases()), on, xml);
        FigureViews.elements(ClusterDeclarations.SINGLETON, shown(c.singletons()), on, xml);
        FigureViews.elements(ClusterDeclarations.TIMER, shown(c.timers()), on, xml);
        xml.end();
    }
}
