package io.weir.lab.bench.matrix;

import io.weir.lab.bench.cell.CellProtocol;
import io.weir.lab.bench.figures.Comparison;
import io.weir.lab.bench.figures.TargetVerdict;
import io.weir.lab.bench.http.BenchOptions;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The results as a page of one file, without scripts and without anything from elsewhere, for light and dark displays.
 * Immutable.
 *
 * @param versions of the servers by name, in the order of the columns
 * @param notes what a reader must know: a busy machine, peers that were left out
 */
record MatrixPage(BenchOptions options, Map<String, String> versions, List<String> notes) {
    private static final String STYLE = """
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

    MatrixPage {
        versions = Collections.unmodifiableMap(new LinkedHashMap<>(versions));
        notes = List.copyOf(notes);
    }

    /** The whole page. */
    String text(List<CellResult> results) {
        StringBuilder page = new StringBuilder(
                        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n")
                .append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n")
                .append("<title>Weir: the matrix</title>\n<style>\n")
                .append(STYLE)
                .append("</style>\n</head>\n<body>\n<h1>Processor time of a unit, Weir's by the best peer's</h1>\n");
        head(page, results);
        for (CellProtocol protocol : CellProtocol.values()) {
            List<CellResult> of = results.stream()
                    .filter(r -> r.cell().protocol() == protocol && r.ratio() != null)
                    .toList();
            if (!of.isEmpty()) {
                page.append("<h2>").append(escaped(protocol.title())).append("</h2>\n");
                page.append(MatrixChart.svg(protocol.title(), of));
            }
        }
        table(page, results);
        return page.append("</body>\n</html>\n").toString();
    }

    private void head(StringBuilder page, List<CellResult> results) {
        StringBuilder servers = new StringBuilder();
        versions.forEach((name, version) -> servers.append(servers.isEmpty() ? "" : ", ")
                .append(name)
                .append(' ')
                .append(version));
        paragraph(page, "soft", servers.toString());
        paragraph(
                page,
                "soft",
                options.rounds() + " rounds of " + options.seconds() + " s in turn, seed " + options.seed()
                        + "; medians of the rounds' ratios with their 95 % intervals. Left of the target is better.");
        notes.forEach(n -> paragraph(page, "note", n));
        page.append("<div class=\"tiles\">\n");
        for (TargetVerdict verdict : TargetVerdict.values()) {
            long count = results.stream()
                    .filter(r -> r.ratio() != null && r.verdict() == verdict)
                    .count();
            page.append("<div class=\"tile ")
                    .append(verdict.text())
                    .append("\"><b>")
                    .append(count);
            page.append("</b>").append(verdict.text()).append("</div>\n");
        }
        page.append("</div>\n");
        paragraph(
                page,
                "soft",
                "met: the interval is within the target (the tick); missed: it excludes the target; open: it includes"
                        + " it, or there were fewer than six rounds.");
    }

    private static void paragraph(StringBuilder page, String kind, String text) {
        page.append("<p class=\"")
                .append(kind)
                .append("\">")
                .append(escaped(text))
                .append("</p>\n");
    }

    private void table(StringBuilder page, List<CellResult> results) {
        page.append("<h2>All figures, CPU microseconds of a unit</h2>\n<div class=\"wide\">\n<table>\n<thead><tr>");
        cell(page, "th", "", "cell");
        versions.keySet().forEach(name -> cell(page, "th", "", name));
        for (String head : List.of("best peer", "by the best peer", "verdict", "floor", "by the floor", "verdict")) {
            cell(page, "th", "", head);
        }
        boolean builds = versions.containsKey(MatrixBench.OTHER);
        if (builds) {
            cell(page, "th", "", "by the other build");
        }
        page.append("</tr></thead>\n<tbody>\n");
        for (CellResult result : results) {
            page.append("<tr>");
            cell(page, "td", "", result.cell().name());
            if (!result.problem().isEmpty()) {
                int columns = versions.size() + 6 + (builds ? 1 : 0);
                page.append("<td class=\"problem\" colspan=\"").append(columns).append("\">not measured: ");
                page.append(escaped(result.problem())).append("</td></tr>\n");
                continue;
            }
            versions.keySet().forEach(name -> cell(page, "td", "", MatrixTable.micros(result, name)));
            cell(page, "td", "", result.best().isEmpty() ? "-" : result.best());
            comparison(page, result.ratio());
            cell(page, "td", "", MatrixTable.micros(result, MatrixBench.FLOOR));
            comparison(page, result.floor());
            if (builds) {
                cell(
                        page,
                        "td",
                        "",
                        result.other() == null ? "-" : result.other().ratio().text());
            }
            page.append("</tr>\n");
        }
        page.append("</tbody>\n</table>\n</div>\n");
    }

    private static void comparison(StringBuilder page, @Nullable Comparison of) {
        cell(page, "td", "", of == null ? "-" : of.ratio().text());
        if (of == null || of.targets().isEmpty()) {
            cell(page, "td", "", "-");
            return;
        }
        TargetVerdict verdict = TargetVerdict.of(of.ratio(), of.targets().getFirst());
        cell(page, "td", "verdict " + verdict.text(), of.targetText() + ": " + verdict.text());
    }

    private static void cell(StringBuilder page, String tag, String kind, String text) {
        page.append('<').append(tag);
        if (!kind.isEmpty()) {
            page.append(" class=\"").append(kind).append('"');
        }
        page.append('>').append(escaped(text)).append("</").append(tag).append('>');
    }

    /** Text for an element or an attribute. */
    static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
