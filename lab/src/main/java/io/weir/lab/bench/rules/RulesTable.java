package io.weir.lab.bench.rules;

import io.weir.lab.bench.figures.Table;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The tables of the tuning guide's chapter 6 (Configuration and Performance), with the guide's figures and those that
 * were measured. Stateless.
 */
final class RulesTable {
    /** The numbers of directives in the guide's tables. */
    static final List<Integer> RULES = List.of(10, 100, 250, 1000, 2000, 4000, 6000, 8000, 10_000);

    private static final Map<Integer, Double> CACHED = Map.of(
            10, 1.05, 100, 1.45, 250, 1.8, 1000, 4.3, 2000, 7.35, 4000, 13.65, 6000, 20.0, 8000, 26.15, 10_000, 32.5);
    private static final Map<Integer, Double> REMOTE = Map.of(
            10, 238.5, 100, 239.7, 250, 240.3, 1000, 242.2, 2000, 245.3, 4000, 252.3, 6000, 258.2, 8000, 264.3, 10_000,
            271.2);

    private RulesTable() {}

    /** Response times with the cache, of an origin on this machine. */
    static String cached(List<Integer> rules, List<Double> millis) {
        return table(rules, millis, CACHED);
    }

    /** Response times without the cache, of an origin that answers late. */
    static String remote(List<Integer> rules, List<Double> millis) {
        return table(rules, millis, REMOTE);
    }

    private static String table(List<Integer> rules, List<Double> millis, Map<Integer, Double> guide) {
        Table table = new Table("assign-name", "guide ms", "Weir ms", "guide, of its 10", "Weir, of its 10");
        double first = guide.getOrDefault(RULES.getFirst(), 1.0);
        for (int i = 0; i < rules.size(); i++) {
            double theirs = guide.getOrDefault(rules.get(i), 0.0);
            table.row(
                    String.valueOf(rules.get(i)),
                    text("%.2f", theirs),
                    text("%.3f", millis.get(i)),
                    text("%.2f", theirs / first),
                    text("%.2f", millis.get(i) / millis.getFirst()));
        }
        return table.text();
    }

    private static String text(String format, double value) {
        return String.format(Locale.ROOT, format, value);
    }
}
