package io.weir.lab.bench.figures;

import java.util.Locale;

/** What the pages and charts of the benchmarks are drawn with, for light and dark displays. Stateless. */
public final class Drawing {
    /** The style sheet of a page with charts. */
    public static final String STYLE = """
            :root { color-scheme: light dark; --ink: #1d2329; --soft: #5b6670; --line: #d8dee4; --paper: #ffffff;
              --panel: #f6f8fa; --met: #17795e; --missed: #b3392f; --open: #6b7280; --target: #1d2329; }
            @media (prefers-color-scheme: dark) {
              :root { --ink: #e6e9ec; --soft: #9aa5b1; --line: #333b44; --paper: #14181c; --panel: #1c2228;
                --met: #4cc79f; --missed: #f0857a; --open: #a3adb8; --target: #e6e9ec; }
            }
            body { margin: 0 auto; max-width: 88rem; padding: 1.5rem; background: var(--paper); color: var(--ink);
              font: 15px/1.45 system-ui, sans-serif; }
            h1 { font-size: 1.5rem; margin: 0 0 .25rem; } h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; }
            p { margin: .25rem 0; } .soft { color: var(--soft); }
            .note { border-left: 4px solid var(--missed); background: var(--panel); padding: .4rem .8rem; margin: .5rem 0; }
            .tiles { display: flex; flex-wrap: wrap; gap: .75rem; margin: 1rem 0; }
            .tile { background: var(--panel); border: 1px solid var(--line); border-radius: 6px; padding: .5rem 1rem; }
            .tile b { display: block; font-size: 1.6rem; line-height: 1.2; }
            svg { display: block; width: 100%; height: auto; } svg text { fill: var(--ink); font: 12px system-ui, sans-serif; }
            svg .soft { fill: var(--soft); color: var(--soft); } .grid { stroke: var(--line); } .one { stroke: var(--soft); }
            .target { stroke: var(--target); stroke-width: 2; } .met { color: var(--met); } .missed { color: var(--missed); }
            .open { color: var(--open); } svg .mark { stroke: currentColor; stroke-width: 2; fill: currentColor; }
            svg .open .mark { fill: var(--paper); }
            .wide { overflow-x: auto; } table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: 13px; }
            th, td { padding: .25rem .6rem; text-align: right; border-bottom: 1px solid var(--line); white-space: nowrap; }
            th:first-child, td:first-child { text-align: left; } th { color: var(--soft); font-weight: 600; }
            td.verdict { font-weight: 600; } td.problem { text-align: left; color: var(--missed); white-space: normal; }
            """;

    private Drawing() {}

    /** Text for an element or an attribute. */
    public static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }

    /** A straight line. */
    public static void line(StringBuilder svg, String kind, double x1, double y1, double x2, double y2) {
        svg.append(String.format(
                Locale.ROOT,
                "<line class=\"%s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>",
                kind,
                x1,
                y1,
                x2,
                y2));
    }

    /**
     * A line of text.
     *
     * @param anchor which part of it is at the place: start, middle, end
     */
    public static void text(StringBuilder svg, String kind, double x, double y, String anchor, String text) {
        svg.append(String.format(
                Locale.ROOT,
                "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>",
                kind,
                x,
                y,
                anchor,
                escaped(text)));
    }

    /** The mark of a figure, which tells the verdict also without colours: a square is missed. */
    public static void mark(StringBuilder svg, TargetVerdict verdict, double x, double y) {
        if (verdict == TargetVerdict.MISSED) {
            svg.append(String.format(
                    Locale.ROOT,
                    "<rect class=\"mark\" x=\"%.1f\" y=\"%.1f\" width=\"9\" height=\"9\"/>",
                    x - 4.5,
                    y - 4.5));
        } else {
            svg.append(String.format(Locale.ROOT, "<circle class=\"mark\" cx=\"%.1f\" cy=\"%.1f\" r=\"4.5\"/>", x, y));
        }
    }
}
