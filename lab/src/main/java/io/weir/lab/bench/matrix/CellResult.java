package io.weir.lab.bench.matrix;

import io.weir.base.Chance;
import io.weir.lab.bench.cell.Cell;
import io.weir.lab.bench.figures.Comparison;
import io.weir.lab.bench.figures.PairedRatio;
import io.weir.lab.bench.figures.Series;
import io.weir.lab.bench.figures.TargetVerdict;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What was found in a cell. Immutable.
 *
 * @param micros processor time of a unit by the name of the server: medians
 * @param best name of the peer with the lowest; empty if none took part
 * @param ratio Weir's by that of the best peer
 * @param floor Weir's by the floor
 * @param other this build's by the other build's
 * @param problem why it was not measured; empty if it was
 */
record CellResult(
        Cell cell,
        Map<String, Double> micros,
        String best,
        @Nullable Comparison ratio,
        @Nullable Comparison floor,
        @Nullable Comparison other,
        String problem) {
    CellResult {
        micros = Map.copyOf(micros);
    }

    static CellResult failed(Cell cell, String problem) {
        return new CellResult(cell, Map.of(), "", null, null, null, problem);
    }

    /**
     * From the turns.
     *
     * @param series Weir's first, then in any order those of the others
     * @param chance chooses the resamples
     */
    static CellResult of(Cell cell, List<Series> series, Chance chance) {
        Map<String, Double> micros = new LinkedHashMap<>();
        series.forEach(s -> micros.put(s.name(), PairedRatio.median(s.micros())));
        Optional<Series> best = series.stream()
                .filter(s -> cell.peers().stream().anyMatch(p -> p.key().equals(s.name())))
                .min(Comparator.comparingDouble(s -> PairedRatio.median(s.micros())));
        return new CellResult(
                cell,
                micros,
                best.map(Series::name).orElse(""),
                best.map(b -> compare(series.getFirst(), b, List.of(cell.target()), chance))
                        .orElse(null),
                named(series, MatrixBench.FLOOR)
                        .map(f -> compare(series.getFirst(), f, cell.floorTargets(), chance))
                        .orElse(null),
                named(series, MatrixBench.OTHER)
                        .map(o -> compare(series.getFirst(), o, List.of(), chance))
                        .orElse(null),
                "");
    }

    private static Optional<Series> named(List<Series> series, String name) {
        return series.stream().filter(s -> s.name().equals(name)).findFirst();
    }

    private static Comparison compare(Series weir, Series to, List<Double> targets, Chance chance) {
        return new Comparison(
                weir.name() + " / " + to.name(), PairedRatio.of(weir.micros(), to.micros(), chance), targets);
    }

    /** Of the comparison with the best peer; open without one. */
    TargetVerdict verdict() {
        return ratio == null ? TargetVerdict.OPEN : TargetVerdict.of(ratio.ratio(), cell.target());
    }
}
