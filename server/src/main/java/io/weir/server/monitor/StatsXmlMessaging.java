package io.weir.server.monitor;

import static io.weir.server.figures.messaging.MessagingFigures.shown;

import io.weir.server.figures.messaging.MessagingDeclarations;
import io.weir.server.figures.messaging.MessagingFigures;
import io.weir.server.figures.messaging.MessagingFigures.Journal;
import io.weir.server.monitor.text.FigureViews;
import io.weir.server.monitor.text.XmlOut;
import java.util.List;
import java.util.function.Predicate;
import javax.xml.stream.XMLStreamException;

/** Writes stats-xml's elements of messaging. Confined to the call. */
final class StatsXmlMessaging {
    private final XmlOut xml;
    private final Predicate<String> on;

    StatsXmlMessaging(XmlOut xml, Predicate<String> on) {
        this.xml = xml;
        this.on = on;
    }

    void write(MessagingFigures m) throws XMLStreamException {
        xml.start(MessagingDeclarations.TOTALS.element());
        FigureViews.attributes(MessagingDeclarations.TOTALS, m, xml);
        Journal journal = m.journal();
        FigureViews.elements(MessagingDeclarations.JOURNAL, journal == null ? List.of() : List.of(journal), on, xml);
        FigureViews.elements(MessagingDeclarations.DESTINATION, shown(m.destinations()), on, xml);
        FigureViews.elements(MessagingDeclarations.CONNECTION, shown(m.connections()), on, xml);
        FigureViews.elements(MessagingDeclarations.SESSION, shown(m.sessions()), on, xml);
        xml.end();
    }
}
