package io.weir.lab.shape;

import io.weir.lab.shape.Shape.Figures;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A shape as text: for people, beside the last release's, and line by line for storage. Stateless. */
final class ShapeText {
    private static final int ROWS = 12;
    /** Number of values of each list that are stored: most of today's largest ones were among these. */
    private static final int KEPT = 60;

    private static final String OVER = "(over the guide)";

    private ShapeText() {}

    /**
     * The largest of each list, with their values at the last release; a dash if it was not among the largest, or did
     * not exist.
     */
    static String report(Shape now, Map<String, Integer> then, String release) {
        StringBuilder text = new StringBuilder();
        for (Figures list : now.lists()) {
            text.append(String.format(
                    Locale.ROOT, "%n%-90s %6s %8s%n", list.title() + " (guide: " + list.guide() + ")", "now", release));
            row(text, "over the guide", (int) list.over(), then.get(key(list, OVER)));
            for (Map.Entry<String, Integer> entry : largest(list, ROWS)) {
                row(text, entry.getKey(), entry.getValue(), then.get(key(list, entry.getKey())));
            }
        }
        return text.toString();
    }

    private static void row(StringBuilder text, String name, int now, @Nullable Integer then) {
        text.append(String.format(Locale.ROOT, "  %-88s %6d %8s%n", name, now, then == null ? "-" : then));
    }

    private static List<Map.Entry<String, Integer>> largest(Figures list, int rows) {
        return list.values().entrySet().stream()
                .filter(e -> e.getValue() > Math.min(1, list.guide()))
                .sorted(Comparator.comparingInt((Map.Entry<String, Integer> e) -> -e.getValue())
                        .thenComparing(Map.Entry::getKey))
                .limit(rows)
                .toList();
    }

    /** The stored text of a release: its name, then a line for each of the largest. */
    static List<String> kept(Shape shape, String release) {
        List<String> lines = new ArrayList<>();
        lines.add("release\t" + release);
        for (Figures list : shape.lists()) {
            lines.add(key(list, OVER) + "\t" + list.over());
            largest(list, KEPT).forEach(e -> lines.add(key(list, e.getKey()) + "\t" + e.getValue()));
        }
        return lines;
    }

    /** Reads what {@link #kept} wrote; the release's name is not among the figures. */
    static Map<String, Integer> figures(List<String> lines) {
        Map<String, Integer> figures = new TreeMap<>();
        for (String line : lines) {
            int value = line.lastIndexOf('\t');
            if (value > 0 && !line.startsWith("release\t")) {
                figures.put(line.substring(0, value), Integer.valueOf(line.substring(value + 1)));
            }
        }
        return figures;
    }

    private static String key(Figures list, String name) {
        return list.title() + "\t" + name;
    }
}
