package io.weir.server.monitor;

import io.weir.server.figures.work.WorkDeclarations;
import io.weir.server.figures.work.WorkFigures;
import io.weir.server.monitor.text.FigureViews;
import io.weir.server.monitor.text.XmlOut;
import java.util.function.Predicate;
import javax.xml.stream.XMLStreamException;

/** Writes stats-xml's elements of work managers, request classes and constraints. Confined to the call. */
final class StatsXmlWork {
    private final XmlOut xml;
    private final Predicate<String> on;

    StatsXmlWork(XmlOut xml, Predicate<String> on) {
        this.xml = xml;
        this.on = on;
    }

    void write(WorkFigures w) throws XMLStreamException {
        if (w.managers().isEmpty() || !on.test(WorkDeclarations.TOTALS.element())) {
            return;
        }
        xml.start(WorkDeclarations.TOTALS.element());
        FigureViews.attributes(WorkDeclarations.TOTALS, w, xml);
        FigureViews.elements(WorkDeclarations.MANAGER, w.managers(), on, xml);
        FigureViews.elements(WorkDeclarations.REQUEST_CLASS, w.classes(), on, xml);
        FigureViews.elements(WorkDeclarations.CONSTRAINT, w.bounds(), on, xml);
        xml.end();
    }
}
