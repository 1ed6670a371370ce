package io.weir.server.monitor;

import static io.weir.server.figures.cluster.ClusterFigures.shown;

import io.weir.server.figures.FigureGroup;
import io.weir.server.figures.cluster.ClusterDeclarations;
import io.weir.server.figures.cluster.ClusterFigures;
import io.weir.server.monitor.text.FigureViews;
import io.weir.server.monitor.text.PerfdumpLines;
import java.util.List;

/** Writes perfdump's sections of the cluster, after those of messaging and in their style. Confined to the call. */
final class PerfdumpCluster {
    private static final int DASHES = 41;

    private final PerfdumpLines out;

    PerfdumpCluster(StringBuilder text) {
        this.out = new PerfdumpLines(text);
    }

    void write(ClusterFigures c) {
        out.title(
                ClusterDeclarations.TOTALS.section().replace("NAME", c.totals().cluster()), DASHES);
        FigureViews.lines(ClusterDeclarations.TOTALS, c.totals(), out);
        out.blank();
        table(ClusterDeclarations.MEMBER, c.members());
        table(ClusterDeclarations.LEASE, c.leases());
        table(ClusterDeclarations.SINGLETON, c.singletons());
        table(ClusterDeclarations.TIMER, c.timers());
    }

    private <T> void table(FigureGroup<T> group, List<T> all) {
        FigureViews.table(group, shown(all), all.size(), out);
    }
}
