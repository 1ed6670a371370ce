package io.weir.lab.bench.matrix;

import io.weir.lab.bench.figures.PairedRatio;
import io.weir.lab.bench.figures.TargetVerdict;
import java.util.List;
import java.util.Locale;
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
                .append(MatrixPage.escaped(title))
                .append("</title>\n");
        for (double at : GRID) {
            String kind = at == 1.0 ? "one" : "grid";
            line(svg, kind, x(at), TOP - 6, x(at), height - 6);
            text(svg, "soft", x(at), TOP - 10, "middle", label(at));
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
                .append(MatrixPage.escaped(result.cell().name() + ": " + figures + ", " + verdict.text()))
                .append("</title>");
        text(svg, "", LEFT - 12, y + 4, "end", result.cell().name());
        line(svg, "target", x(result.cell().target()), y - 8, x(result.cell().target()), y + 8);
        line(svg, "mark", x(ratio.low()), y, x(ratio.high()), y);
        mark(svg, verdict, x(ratio.median()), y);
        text(svg, "soft", RIGHT + 14, y + 4, "start", figures);
        svg.append("</g>\n");
    }

    private static @Nullable PairedRatio ratio(CellResult result) {
        return result.ratio() == null ? null : result.ratio().ratio();
    }

    private static void mark(StringBuilder svg, TargetVerdict verdict, double x, int y) {
        if (verdict == TargetVerdict.MISSED) {
            svg.append(String.format(
                    Locale.ROOT,
                    "<rect class=\"mark\" x=\"%.1f\" y=\"%d\" width=\"9\" height=\"9\"/>",
                    x - 4.5,
                    y - 4));
        } else {
            svg.append(String.format(Locale.ROOT, "<circle class=\"mark\" cx=\"%.1f\" cy=\"%d\" r=\"4.5\"/>", x, y));
        }
    }

    /** The place of a ratio; at the edge if it lies outside. */
    static double x(double ratio) {
        double bounded = Math.clamp(ratio, LEAST, MOST);
        return LEFT + (RIGHT - LEFT) * Math.log(bounded / LEAST) / Math.log(MOST / LEAST);
    }

    private static String label(double at) {
        return at >= 1 ? String.valueOf((int) at) : String.valueOf(at);
    }

    private static void line(StringBuilder svg, String kind, double x1, int y1, double x2, int y2) {
        svg.append(String.format(
                Locale.ROOT, "<line class=\"%s\" x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\"/>", kind, x1, y1, x2, y2));
    }

    private static void text(StringBuilder svg, String kind, double x, int y, String anchor, String text) {
        svg.append(String.format(
                Locale.ROOT,
                "<text class=\"%s\" x=\"%.1f\" y=\"%d\" text-anchor=\"%s\">%s</text>",
                kind,
                x,
                y,
                anchor,
                MatrixPage.escaped(text)));
    }
}
