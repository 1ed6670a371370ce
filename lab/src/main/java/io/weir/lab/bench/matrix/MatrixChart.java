package io.weir.lab.bench.matrix;

import io.weir.lab.bench.figures.Drawing;
import io.weir.lab.bench.figures.PairedRatio;
import io.weir.lab.bench.figures.TargetVerdict;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A chart of ratios: a line for each cell, with its interval, its median and its target, on a logarithmic scale. The
 * verdict is told by colour and by shape: a dot, a square, a ring. Stateless.
 */
final class MatrixChart {
    private static final int WIDTH = 1080;
    private static final int LEFT = 190;
    private static final int RIGHT = 860;
    private static final int ROW = 22;
    private static final int TOP = 24;
    private static final double LEAST = 0.125;
    private static final double MOST = 8;
    private static final List<Double> GRID = List.of(0.125, 0.25, 0.5, 0.8, 1.0, 2.0, 4.0, 8.0);

    private MatrixChart() {}

    /** The chart of results that have a ratio. */
    static String svg(String title, List<CellResult> results) {
        int height = TOP + results.size() * ROW + 10;
        StringBuilder svg = new StringBuilder("<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" viewBox=\"0 0 ")
                .append(WIDTH)
                .append(' ')
                .append(height)
                .append("\">\n<title>")
                .append(Drawing.escaped(title))
                .append("</title>\n");
        for (double at : GRID) {
            String kind = at == 1.0 ? "one" : "grid";
            Drawing.line(svg, kind, x(at), TOP - 6, x(at), height - 6);
            Drawing.text(svg, "soft", x(at), TOP - 10, "middle", label(at));
        }
        for (int i = 0; i < results.size(); i++) {
            row(svg, results.get(i), TOP + i * ROW + ROW / 2);
        }
        return svg.append("</svg>\n").toString();
    }

    private static void row(StringBuilder svg, CellResult result, int y) {
        PairedRatio ratio = ratio(result);
        if (ratio == null) {
            return;
        }
        TargetVerdict verdict = result.verdict();
        String figures = ratio.text() + " of " + result.best();
        svg.append("<g class=\"").append(verdict.text()).append("\">");
        svg.append("<title>")
                .append(Drawing.escaped(result.cell().name() + ": " + figures + ", " + verdict.text()))
                .append("</title>");
        Drawing.text(svg, "", LEFT - 12, y + 4, "end", result.cell().name());
        Drawing.line(
                svg, "target", x(result.cell().target()), y - 8, x(result.cell().target()), y + 8);
        Drawing.line(svg, "mark", x(ratio.low()), y, x(ratio.high()), y);
        Drawing.mark(svg, verdict, x(ratio.median()), y);
        Drawing.text(svg, "soft", RIGHT + 14, y + 4, "start", figures);
        svg.append("</g>\n");
    }

    private static @Nullable PairedRatio ratio(CellResult result) {
        return result.ratio() == null ? null : result.ratio().ratio();
    }

    /** The place of a ratio; at the edge if it lies outside. */
    static double x(double ratio) {
        double bounded = Math.clamp(ratio, LEAST, MOST);
        return LEFT + (RIGHT - LEFT) * Math.log(bounded / LEAST) / Math.log(MOST / LEAST);
    }

    private static String label(double at) {
        return at >= 1 ? String.valueOf((int) at) : String.valueOf(at);
    }
}
