package io.weir.server.monitor;

import static io.weir.server.figures.messaging.MessagingFigures.shown;

import io.weir.server.figures.messaging.MessagingDeclarations;
import io.weir.server.figures.messaging.MessagingFigures;
import io.weir.server.figures.messaging.MessagingFigures.Journal;
import io.weir.server.monitor.text.FigureViews;
import io.weir.server.monitor.text.PerfdumpLines;

/** Writes perfdump's sections of messaging, after those of the Sun proxy and in their style. Confined to the call. */
final class PerfdumpMessaging {
    private static final int DASHES = 41;

    private final PerfdumpLines out;

    PerfdumpMessaging(StringBuilder text) {
        this.out = new PerfdumpLines(text);
    }

    void write(MessagingFigures m) {
        out.title(MessagingDeclarations.TOTALS.section(), DASHES);
        FigureViews.lines(MessagingDeclarations.TOTALS, m, out);
        out.blank();
        Journal journal = m.journal();
        if (journal != null) {
            out.title(MessagingDeclarations.JOURNAL.section().replace("NAME", journal.name()), DASHES);
            FigureViews.lines(MessagingDeclarations.JOURNAL, journal, out);
            out.blank();
        }
        FigureViews.table(
                MessagingDeclarations.DESTINATION,
                shown(m.destinations()),
                m.destinations().size(),
                out);
        FigureViews.table(
                MessagingDeclarations.CONNECTION,
                shown(m.connections()),
                m.totals().connections(),
                out);
        FigureViews.table(
                MessagingDeclarations.SESSION, shown(m.sessions()), m.totals().sessions(), out);
    }
}
