package io.weir.lab.bench.growth;

import io.weir.lab.bench.figures.Table;
import java.util.List;
import java.util.Locale;

/** The results as Markdown. Stateless. */
final class GrowthTable {
    private GrowthTable() {}

    /** The steps of one growth. */
    static String steps(GrowthResult result) {
        Table table = new Table(
                result.growth().title(),
                "CPU us/" + result.growth().unit() + " [95 % interval]",
                plural(result.growth().unit()) + "/s",
                "by the first step",
                "resident MiB");
        double first = result.steps().isEmpty()
                ? 1
                : result.steps().getFirst().micros().median();
        for (GrowthResult.Step step : result.steps()) {
            table.row(
                    Growth.number(step.step()),
                    step.micros().text(),
                    String.format(Locale.ROOT, "%.0f", step.perSecond()),
                    String.format(Locale.ROOT, "%.2f", step.micros().median() / first),
                    step.resident() == 0 ? "-" : String.valueOf(step.resident() >> 20));
        }
        return table.text();
    }

    /** All growths, a row each. */
    static String summary(List<GrowthResult> results) {
        Table table = new Table("growth", "steps", "ratio [95 % interval]", "target", "verdict", "memory");
        for (GrowthResult each : results) {
            if (each.ratio() == null) {
                table.row(each.growth().key(), "-", "-", "-", "not measured: " + each.problem(), "-");
            } else {
                table.row(
                        each.growth().key(),
                        each.ratio().what(),
                        each.ratio().ratioText(),
                        each.ratio().targetText(),
                        each.ratio().verdictText(),
                        each.memoryText().isEmpty() ? "-" : each.memoryText());
            }
        }
        return table.text();
    }

    static String plural(String unit) {
        return unit.endsWith("y") ? unit.substring(0, unit.length() - 1) + "ies" : unit + "s";
    }
}
