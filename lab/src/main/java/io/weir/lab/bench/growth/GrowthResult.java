package io.weir.lab.bench.growth;

import io.weir.base.Chance;
import io.weir.lab.bench.figures.Comparison;
import io.weir.lab.bench.figures.PairedRatio;
import io.weir.lab.bench.figures.Series;
import io.weir.lab.bench.figures.TargetVerdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What was found of a growth. Immutable.
 *
 * @param steps smallest first; empty if it was not measured
 * @param ratio the last step's cost by the first one's
 * @param problem why it was not measured; empty if it was
 */
record GrowthResult(
        Growth growth, List<Step> steps, @Nullable Comparison ratio, String problem) {
    /**
     * A step.
     *
     * @param micros processor time of a unit, with its interval over the rounds
     * @param resident bytes of the server's resident set after the warm-up
     */
    record Step(long step, PairedRatio micros, double perSecond, long resident) {}

    GrowthResult {
        steps = List.copyOf(steps);
    }

    static GrowthResult failed(Growth growth, String problem) {
        return new GrowthResult(growth, List.of(), null, problem);
    }

    /**
     * From the turns.
     *
     * @param sizes the steps, in the order of the series
     * @param resident bytes by step
     * @param chance chooses the resamples
     */
    static GrowthResult of(
            Growth growth, List<Long> sizes, List<Series> series, Map<Long, Long> resident, Chance chance) {
        List<Step> steps = new ArrayList<>();
        for (int i = 0; i < sizes.size(); i++) {
            Series each = series.get(i);
            steps.add(new Step(
                    sizes.get(i),
                    PairedRatio.ofMedian(each.micros(), chance),
                    each.medianPerSecond(),
                    resident.getOrDefault(sizes.get(i), 0L)));
        }
        String what = Growth.number(sizes.getLast()) + " / " + Growth.number(sizes.getFirst());
        PairedRatio ratio =
                PairedRatio.of(series.getLast().micros(), series.getFirst().micros(), chance);
        return new GrowthResult(growth, steps, new Comparison(what, ratio, List.of(Growth.TARGET)), "");
    }

    /** Open if it was not measured. */
    TargetVerdict verdict() {
        return ratio == null ? TargetVerdict.OPEN : TargetVerdict.of(ratio.ratio(), Growth.TARGET);
    }

    /** Such as {@code 1.08 [1.02, 1.15], target 1.2: met}. */
    String ratioText() {
        return ratio == null
                ? "not measured: " + problem
                : ratio.what() + ": " + ratio.ratioText() + ", target " + Growth.TARGET + ": "
                        + verdict().text();
    }

    /** Bytes that one more of what grows takes, from the first to the last step; NaN if that says nothing. */
    double bytesEach() {
        if (steps.size() < 2 || growth.kept().isEmpty()) {
            return Double.NaN;
        }
        Step first = steps.getFirst();
        Step last = steps.getLast();
        return first.resident == 0 || last.resident == 0
                ? Double.NaN
                : (double) (last.resident - first.resident) / (last.step - first.step);
    }

    /** The same in words; empty if it says nothing. */
    String memoryText() {
        double bytes = bytesEach();
        return Double.isNaN(bytes)
                ? ""
                : String.format(Locale.ROOT, "%,.0f bytes of the resident set for each %s", bytes, growth.kept());
    }
}
