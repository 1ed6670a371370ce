package io.weir.lab.bench.matrix;

import io.weir.lab.bench.cell.CellProtocol;
import io.weir.lab.bench.figures.Comparison;
import io.weir.lab.bench.figures.Drawing;
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
                .append(Drawing.STYLE)
                .append("</style>\n</head>\n<body>\n<h1>Processor time of a unit, Weir's by the best peer's</h1>\n");
        head(page, results);
        for (CellProtocol protocol : CellProtocol.values()) {
            List<CellResult> of = results.stream()
                    .filter(r -> r.cell().protocol() == protocol && r.ratio() != null)
                    .toList();
            if (!of.isEmpty()) {
                page.append("<h2>").append(Drawing.escaped(protocol.title())).append("</h2>\n");
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
                .append(Drawing.escaped(text))
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
                page.append(Drawing.escaped(result.problem())).append("</td></tr>\n");
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
        page.append('>').append(Drawing.escaped(text)).append("</").append(tag).append('>');
    }
}
