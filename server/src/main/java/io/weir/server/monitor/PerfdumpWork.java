package io.weir.server.monitor;

import io.weir.server.figures.FigureGroup;
import io.weir.server.figures.work.WorkDeclarations;
import io.weir.server.figures.work.WorkFigures;
import io.weir.server.monitor.text.FigureViews;
import io.weir.server.monitor.text.PerfdumpLines;
import java.util.List;

/** Writes perfdump's sections of work managers, after the sessions and in their style. Confined to the call. */
final class PerfdumpWork {
    private static final int DASHES = 41;

    private final PerfdumpLines out;

    PerfdumpWork(StringBuilder text) {
        this.out = new PerfdumpLines(text);
    }

    void write(WorkFigures w) {
        if (w.managers().isEmpty()) {
            return;
        }
        out.title(WorkDeclarations.TOTALS.section(), DASHES);
        FigureViews.lines(WorkDeclarations.TOTALS, w, out);
        out.blank();
        table(WorkDeclarations.MANAGER, w.managers());
        table(WorkDeclarations.REQUEST_CLASS, w.classes());
        table(WorkDeclarations.CONSTRAINT, w.bounds());
    }

    private <T> void table(FigureGroup<T> group, List<T> all) {
        if (!all.isEmpty()) {
            FigureViews.table(group, all, all.size(), out);
        }
    }
}
