package io.weir.lab.bench.http;

import io.weir.lab.bench.figures.PairedRatio;
import io.weir.lab.bench.process.PauseLog;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** Turns at a steady rate with what the collector did in them. Confined to its run's thread. */
final class CollectedTurns {
    private final List<SteadyLoad.Tail> tails = new ArrayList<>();
    private PauseLog.Pauses pauses = PauseLog.NONE;

    void add(SteadyLoad.Tail tail, PauseLog.Pauses more) {
        tails.add(tail);
        pauses = pauses.and(more);
    }

    /** Of all turns. */
    PauseLog.Pauses pauses() {
        return pauses;
    }

    double median(ToDoubleFunction<SteadyLoad.Tail> figure) {
        return PairedRatio.median(tails.stream().mapToDouble(figure).toArray());
    }

    /** The longest time of all turns. */
    double most() {
        return tails.stream().mapToDouble(SteadyLoad.Tail::most).max().orElse(0);
    }
}
