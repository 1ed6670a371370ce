package io.weir.lab.bench.matrix;

import io.weir.lab.bench.figures.Comparison;
import io.weir.lab.bench.figures.Table;
import io.weir.lab.bench.figures.TargetVerdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The results as Markdown. Stateless. */
final class MatrixTable {
    private static final String NOTHING = "-";

    private MatrixTable() {}

    /**
     * The table and a line of the verdicts.
     *
     * @param versions of the servers by name, in the order of the columns
     */
    static String text(List<CellResult> results, Map<String, String> versions) {
        StringBuilder text = new StringBuilder("CPU us of a unit (a request with its answer, or an echo), medians; ");
        versions.forEach(
                (name, version) -> text.append(name).append(' ').append(version).append(", "));
        text.setLength(text.length() - 2);
        Table table = new Table(heads(versions).toArray(String[]::new));
        results.forEach(r -> table.row(row(r, versions).toArray(String[]::new)));
        return text.append("\n\n")
                .append(table.text())
                .append('\n')
                .append(summary(results))
                .append('\n')
                .append(problems(results))
                .toString();
    }

    private static List<String> heads(Map<String, String> versions) {
        List<String> heads = new ArrayList<>(List.of("cell"));
        heads.addAll(versions.keySet());
        heads.addAll(List.of("best peer", "weir / best peer [95 % interval]", "target", "verdict"));
        heads.addAll(List.of("floor", "weir / floor [95 % interval]", "target", "verdict"));
        if (versions.containsKey(MatrixBench.OTHER)) {
            heads.add("weir / other build [95 % interval]");
        }
        return heads;
    }

    private static List<String> row(CellResult result, Map<String, String> versions) {
        List<String> row = new ArrayList<>(List.of(result.cell().name()));
        versions.keySet().forEach(name -> row.add(micros(result, name)));
        if (result.problem().isEmpty()) {
            row.add(result.best().isEmpty() ? NOTHING : result.best());
            comparison(row, result.ratio());
        } else {
            row.addAll(List.of(NOTHING, "not measured", NOTHING, NOTHING));
        }
        row.add(micros(result, MatrixBench.FLOOR));
        comparison(row, result.floor());
        if (versions.containsKey(MatrixBench.OTHER)) {
            row.add(result.other() == null ? NOTHING : result.other().ratioText());
        }
        return row;
    }

    private static void comparison(List<String> row, @Nullable Comparison of) {
        if (of == null) {
            row.addAll(List.of(NOTHING, NOTHING, NOTHING));
            return;
        }
        row.addAll(List.of(of.ratio().text(), of.targetText(), of.targets().isEmpty() ? NOTHING : of.verdictText()));
    }

    /** A figure with a useful number of digits. */
    static String micros(CellResult result, String name) {
        Double micros = result.micros().get(name);
        return micros == null ? NOTHING : micros(micros);
    }

    static String micros(double micros) {
        return String.format(Locale.ROOT, micros < 100 ? "%.1f" : "%.0f", micros);
    }

    /** A line for each cell that was not measured. */
    private static String problems(List<CellResult> results) {
        StringBuilder lines = new StringBuilder();
        for (CellResult each : results) {
            if (!each.problem().isEmpty()) {
                lines.append(each.cell().name())
                        .append(" was not measured: ")
                        .append(each.problem().strip())
                        .append('\n');
            }
        }
        return lines.toString();
    }

    /** How many verdicts of each kind. */
    static String summary(List<CellResult> results) {
        List<CellResult> compared =
                results.stream().filter(r -> r.ratio() != null).toList();
        return compared.size() + " cells against their best peer: "
                + counts(compared.stream().map(CellResult::verdict).toList())
                + "; hits against their floor: "
                + counts(results.stream()
                        .map(CellResult::floor)
                        .filter(Objects::nonNull)
                        .filter(f -> !f.targets().isEmpty())
                        .map(f -> TargetVerdict.of(f.ratio(), f.targets().getFirst()))
                        .toList())
                + ".";
    }

    private static String counts(List<TargetVerdict> verdicts) {
        List<String> words = new ArrayList<>();
        for (TargetVerdict kind : TargetVerdict.values()) {
            words.add(verdicts.stream().filter(v -> v == kind).count() + " " + kind.text());
        }
        return String.join(", ", words);
    }
}
