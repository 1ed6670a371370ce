package io.weir.lab.bench.growth;

import io.weir.lab.bench.figures.Drawing;
import io.weir.lab.bench.figures.TargetVerdict;
import java.util.List;
import java.util.Locale;

/**
 * The results as a page of one file, without scripts and without anything from elsewhere, for light and dark displays.
 * Immutable.
 *
 * @param version of Weir
 * @param notes what a reader must know, such as a busy machine
 */
record GrowthPage(GrowthOptions options, String version, List<String> notes) {
    GrowthPage {
        notes = List.copyOf(notes);
    }

    /** The whole page. */
    String text(List<GrowthResult> results) {
        StringBuilder page = new StringBuilder(
                        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n")
                .append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n")
                .append("<title>Weir: growth</title>\n<style>\n")
                .append(Drawing.STYLE)
                .append("</style>\n</head>\n<body>\n<h1>Processor time of a unit while one number grows</h1>\n");
        paragraph(page, "soft", "weir " + version);
        paragraph(
                page,
                "soft",
                options.rounds() + " rounds of " + options.seconds() + " s in turn, seed " + options.seed()
                        + "; medians of the rounds with their 95 % intervals; the ratio is that of the last step to the"
                        + " first, at most " + Growth.TARGET);
        notes.forEach(n -> paragraph(page, "note", n));
        page.append("<div class=\"tiles\">\n");
        for (TargetVerdict verdict : TargetVerdict.values()) {
            long count = results.stream()
                    .filter(r -> r.ratio() != null && r.verdict() == verdict)
                    .count();
            page.append("<div class=\"tile ").append(verdict.text()).append("\"><b>");
            page.append(count).append("</b>").append(verdict.text()).append("</div>\n");
        }
        page.append("</div>\n");
        results.forEach(r -> growth(page, r));
        return page.append("</body>\n</html>\n").toString();
    }

    private static void growth(StringBuilder page, GrowthResult result) {
        page.append("<h2>").append(Drawing.escaped(result.growth().key())).append("</h2>\n");
        if (result.ratio() == null) {
            paragraph(page, "note", result.ratioText());
            return;
        }
        page.append("<div style=\"max-width: 45rem\">\n")
                .append(GrowthChart.svg(result))
                .append("</div>\n");
        page.append("<div class=\"wide\">\n<table>\n<thead><tr>");
        for (String head : List.of(
                result.growth().title(),
                "CPU us/" + result.growth().unit(),
                GrowthTable.plural(result.growth().unit()) + "/s",
                "resident MiB")) {
            cell(page, "th", head);
        }
        page.append("</tr></thead>\n<tbody>\n");
        for (GrowthResult.Step step : result.steps()) {
            page.append("<tr>");
            cell(page, "td", Growth.number(step.step()));
            cell(page, "td", step.micros().text());
            cell(page, "td", String.format(Locale.ROOT, "%.0f", step.perSecond()));
            cell(page, "td", step.resident() == 0 ? "-" : String.valueOf(step.resident() >> 20));
            page.append("</tr>\n");
        }
        page.append("</tbody>\n</table>\n</div>\n");
        if (!result.memoryText().isEmpty()) {
            paragraph(page, "soft", result.memoryText());
        }
    }

    private static void paragraph(StringBuilder page, String kind, String text) {
        page.append("<p class=\"")
                .append(kind)
                .append("\">")
                .append(Drawing.escaped(text))
                .append("</p>\n");
    }

    private static void cell(StringBuilder page, String tag, String text) {
        page.append('<')
                .append(tag)
                .append('>')
                .append(Drawing.escaped(text))
                .append("</")
                .append(tag)
                .append('>');
    }
}
