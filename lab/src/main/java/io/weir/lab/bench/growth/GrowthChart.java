package io.weir.lab.bench.growth;

import io.weir.lab.bench.figures.Drawing;
import io.weir.lab.bench.figures.PairedRatio;
import io.weir.lab.bench.figures.TargetVerdict;
import java.util.List;
import java.util.Locale;

/**
 * The chart of a growth: the cost of a unit over the steps, each a dot within its interval, and a broken line at the
 * target. The cost begins at zero, so that a rise looks as large as it is. It is a whole file, for light and dark
 * displays. Stateless.
 */
final class GrowthChart {
    private static final int WIDTH = 720;
    private static final int HEIGHT = 300;
    private static final int LEFT = 64;
    private static final int RIGHT = 610;
    private static final int TOP = 62;
    private static final int BOTTOM = 246;
    private static final int LINES = 4;
    private static final int LINE_HEIGHT = 14;
    private static final List<Double> NICE = List.of(1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0);
    private static final String STYLE = """
            .growth { --ink: #1d2329; --soft: #5b6670; --line: #d8dee4; --paper: #ffffff; --met: #17795e;
              --missed: #b3392f; --open: #6b7280; }
            @media (prefers-color-scheme: dark) { .growth { --ink: #e6e9ec; --soft: #9aa5b1; --line: #333b44;
              --paper: #14181c; --met: #4cc79f; --missed: #f0857a; --open: #a3adb8; } }
            .growth text { fill: var(--ink); font: 12px system-ui, sans-serif; }
            .growth text.head { font-size: 14px; font-weight: 600; } .growth text.soft { fill: var(--soft); }
            .growth .paper { fill: var(--paper); } .growth .grid { stroke: var(--line); }
            .growth .one { stroke: var(--soft); stroke-dasharray: 2 3; }
            .growth .target { stroke: var(--ink); stroke-width: 1.5; stroke-dasharray: 7 4; }
            .growth .met { color: var(--met); } .growth .missed { color: var(--missed); }
            .growth .open { color: var(--open); }
            .growth .mark { stroke: currentColor; stroke-width: 2; fill: currentColor; }
            .growth .way { stroke: currentColor; stroke-width: 2; fill: none; }
            .growth .open circle.mark { fill: var(--paper); }
            """;

    private GrowthChart() {}

    /** The chart of a growth that was measured. */
    static String svg(GrowthResult result) {
        List<GrowthResult.Step> steps = result.steps();
        double first = steps.getFirst().micros().median();
        double most = top(Math.max(
                first * Growth.TARGET,
                steps.stream().mapToDouble(s -> s.micros().high()).max().orElse(1)));
        String unit = result.growth().unit();
        StringBuilder svg = new StringBuilder(
                        "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" class=\"growth\" viewBox=\"0 0 ")
                .append(WIDTH)
                .append(' ')
                .append(HEIGHT)
                .append("\">\n<title>")
                .append(Drawing.escaped(result.growth().key() + ": " + result.ratioText()))
                .append("</title>\n<style>\n")
                .append(STYLE)
                .append("</style>\n<rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n");
        Drawing.text(
                svg,
                "head",
                12,
                22,
                "start",
                "CPU us of a " + unit + ", by " + result.growth().title());
        Drawing.text(svg, "soft", 12, 42, "start", result.ratioText());
        for (int i = 0; i <= LINES; i++) {
            double at = most * i / LINES;
            Drawing.line(svg, "grid", LEFT, y(at, most), RIGHT, y(at, most));
            Drawing.text(svg, "soft", LEFT - 8, y(at, most) + 4, "end", micros(at));
        }
        svg.append('\n');
        double low = y(first, most) + 4;
        bound(svg, "one", first, most, low, "first step");
        // above the other, also where the lines are close
        double high = Math.min(y(first * Growth.TARGET, most) + 4, low - LINE_HEIGHT);
        bound(svg, "target", first * Growth.TARGET, most, high, "target: " + Growth.TARGET + " of it");
        way(svg, result, most);
        Drawing.text(
                svg,
                "soft",
                (LEFT + RIGHT) / 2.0,
                BOTTOM + 42,
                "middle",
                result.growth().title());
        return svg.append("\n</svg>\n").toString();
    }

    private static void bound(StringBuilder svg, String kind, double at, double most, double textAt, String text) {
        Drawing.line(svg, kind, LEFT, y(at, most), RIGHT, y(at, most));
        Drawing.text(svg, "soft", RIGHT + 6, textAt, "start", text);
        svg.append('\n');
    }

    private static void way(StringBuilder svg, GrowthResult result, double most) {
        List<GrowthResult.Step> steps = result.steps();
        TargetVerdict verdict = result.verdict();
        svg.append("<g class=\"").append(verdict.text()).append("\">\n<polyline class=\"way\" points=\"");
        for (int i = 0; i < steps.size(); i++) {
            svg.append(String.format(
                    Locale.ROOT,
                    "%s%.1f,%.1f",
                    i == 0 ? "" : " ",
                    x(i, steps.size()),
                    y(steps.get(i).micros().median(), most)));
        }
        svg.append("\"/>\n");
        for (int i = 0; i < steps.size(); i++) {
            PairedRatio micros = steps.get(i).micros();
            double x = x(i, steps.size());
            Drawing.line(svg, "mark", x, y(micros.low(), most), x, y(micros.high(), most));
            Drawing.mark(svg, verdict, x, y(micros.median(), most));
            Drawing.text(svg, "", x, y(micros.high(), most) - 10, "middle", micros(micros.median()));
            Drawing.text(
                    svg,
                    "soft",
                    x,
                    BOTTOM + 20,
                    "middle",
                    Growth.number(steps.get(i).step()));
            svg.append('\n');
        }
        svg.append("</g>");
    }

    /** The place of a step: equal distances, as each is a power of ten. */
    static double x(int index, int steps) {
        double part = (double) (RIGHT - LEFT) / steps;
        return LEFT + part * (index + 0.5);
    }

    /** The height of a cost. */
    static double y(double micros, double most) {
        return BOTTOM - (BOTTOM - TOP) * Math.min(micros, most) / most;
    }

    /** The end of the scale: the next round number. */
    static double top(double most) {
        double power = Math.pow(10, Math.floor(Math.log10(most)));
        return NICE.stream()
                .mapToDouble(n -> n * power)
                .filter(t -> t >= most)
                .findFirst()
                .orElse(10 * power);
    }

    private static String micros(double micros) {
        return String.format(
                Locale.ROOT, micros >= 100 ? "%.0f" : micros >= 1 || micros == 0 ? "%.1f" : "%.2f", micros);
    }
}
