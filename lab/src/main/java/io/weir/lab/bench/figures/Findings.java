package io.weir.lab.bench.figures;

import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The results of a run, as Markdown. Stateless. */
public final class Findings {
    private Findings() {}

    /**
     * Processor time and rates.
     *
     * @param versions of the contenders, by name
     */
    public static String figures(List<Series> series, Map<String, String> versions) {
        Table table = new Table("server", "version", "CPU us/request", "requests/s");
        for (Series each : series) {
            table.row(
                    each.name(),
                    versions.getOrDefault(each.name(), "-"),
                    String.format(Locale.ROOT, "%.1f", each.medianMicros()),
                    String.format(Locale.ROOT, "%.0f", each.medianPerSecond()));
        }
        return table.text();
    }

    public static String ratios(List<Comparison> comparisons) {
        Table table = new Table("CPU per request", "ratio [95 % interval]", "target", "verdict");
        for (Comparison each : comparisons) {
            table.row(each.what(), each.ratioText(), each.targetText(), each.verdictText());
        }
        return table.text();
    }

    /** The warning about a busy machine, before or after the run; empty if it was quiet. */
    public static String warning(List<String> reasons) {
        return reasons.isEmpty()
                ? ""
                : "THE MACHINE IS TOO BUSY TO CONCLUDE: " + String.join("; ", reasons)
                        + ". The verdicts are provisional.";
    }
}
