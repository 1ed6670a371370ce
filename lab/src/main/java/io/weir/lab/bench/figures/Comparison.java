package io.weir.lab.bench.figures;

import java.util.List;
import java.util.function.DoubleFunction;
import java.util.stream.Collectors;

/**
 * A ratio with its targets. Immutable.
 *
 * @param what the dividend and the divisor
 * @param targets upper bounds in the order in which they are to be reached; empty: none are set
 */
public record Comparison(String what, PairedRatio ratio, List<Double> targets) {
    public Comparison {
        targets = List.copyOf(targets);
    }

    /** The ratio as text, with three decimals if a percent matters. */
    public String ratioText() {
        boolean fine = targets.stream().anyMatch(t -> t > 1 && t < 1.1);
        return fine ? ratio.fineText() : ratio.text();
    }

    public String targetText() {
        return each(t -> "<= " + t, ", then ");
    }

    public String verdictText() {
        return each(t -> TargetVerdict.of(ratio, t).text(), ", then ");
    }

    private String each(DoubleFunction<String> text, String between) {
        return targets.isEmpty() ? "-" : targets.stream().map(text::apply).collect(Collectors.joining(between));
    }
}
