package io.weir.lab.bench.figures;

import java.util.List;
import java.util.function.DoubleFunction;
import java.util.stream.Collectors;

/**
 * A ratio and what was aimed at. Immutable.
 *
 * @param what is divided by what
 * @param targets upper bounds in the order in which they are to be reached; empty: none is set
 */
public record Comparison(String what, PairedRatio ratio, List<Double> targets) {
    public Comparison {
        targets = List.copyOf(targets);
    }

    /** With three decimals where a percent decides. */
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
