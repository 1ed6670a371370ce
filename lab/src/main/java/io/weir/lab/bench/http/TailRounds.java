package io.weir.lab.bench.http;

import io.weir.base.Chance;
import io.weir.lab.bench.figures.Comparison;
import io.weir.lab.bench.figures.PairedRatio;
import io.weir.lab.bench.figures.Table;
import io.weir.lab.bench.figures.TargetVerdict;
import io.weir.lab.bench.peer.Targets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/**
 * The rounds of a latency run: each has a turn of each server at one rate. A round in which the load itself was late does
 * not count, for all servers, so that the counted ones remain pairs. Confined to its run's thread.
 */
final class TailRounds {
    private final List<String> names;
    private final List<List<SteadyLoad.Tail>> counted = new ArrayList<>();
    private final List<List<SteadyLoad.Tail>> lost = new ArrayList<>();

    /** @param names of the servers: Weir, then the peers */
    TailRounds(List<String> names) {
        this.names = List.copyOf(names);
    }

    /**
     * Why a round does not count.
     *
     * @param saturated whether a lower rate would help
     */
    record NotCounted(String reason, boolean saturated) {}

    /** Takes a round, a turn of each server in their order; returns why it is not counted. */
    Optional<NotCounted> take(List<SteadyLoad.Tail> round) {
        for (int i = 0; i < round.size(); i++) {
            SteadyLoad.Tail tail = round.get(i);
            if (tail.ofTheLoad()) {
                lost.add(List.copyOf(round));
                return Optional.of(new NotCounted(
                        String.format(
                                Locale.ROOT,
                                "the load itself was late in %s's turn, by %.0f of %.0f us; its processor was %.0f %% busy%s",
                                names.get(i),
                                tail.late(),
                                tail.p999(),
                                tail.busy() * 100,
                                tail.saturated() ? "" : ", so that was another program"),
                        tail.saturated()));
            }
        }
        counted.add(List.copyOf(round));
        return Optional.empty();
    }

    /** Rounds that count. */
    int counted() {
        return counted.size();
    }

    /** All rounds. */
    int tried() {
        return counted.size() + lost.size();
    }

    /** Those that count; if none does, all, for what they are worth. */
    private List<List<SteadyLoad.Tail>> rounds() {
        return counted.isEmpty() ? lost : counted;
    }

    private double[] of(int server, ToDoubleFunction<SteadyLoad.Tail> figure) {
        return rounds().stream()
                .mapToDouble(r -> figure.applyAsDouble(r.get(server)))
                .toArray();
    }

    private double median(int server, ToDoubleFunction<SteadyLoad.Tail> figure) {
        return PairedRatio.median(of(server, figure));
    }

    /** Medians of the turns, but for the longest time of all. */
    String figures(Map<String, String> versions) {
        Table table = new Table("server", "version", "p50 us", "p99 us", "p99.9 us", "most us", "load late us");
        for (int i = 0; i < names.size(); i++) {
            double[] most = of(i, SteadyLoad.Tail::most);
            table.row(
                    names.get(i),
                    versions.getOrDefault(names.get(i), "-"),
                    number(median(i, SteadyLoad.Tail::p50)),
                    number(median(i, SteadyLoad.Tail::p99)),
                    number(median(i, SteadyLoad.Tail::p999)),
                    number(Arrays.stream(most).max().orElse(0)),
                    number(median(i, SteadyLoad.Tail::late)));
        }
        return table.text();
    }

    /** Weir's 99.9th percentile by that of the peer with the lowest one. */
    String ratio(Chance chance) {
        int best = 1;
        for (int i = 2; i < names.size(); i++) {
            if (median(i, SteadyLoad.Tail::p999) < median(best, SteadyLoad.Tail::p999)) {
                best = i;
            }
        }
        PairedRatio ratio = PairedRatio.of(of(0, SteadyLoad.Tail::p999), of(best, SteadyLoad.Tail::p999), chance);
        Comparison comparison =
                new Comparison(names.getFirst() + " / " + names.get(best) + ", p99.9", ratio, List.of(Targets.TAIL));
        Table table = new Table("time of answers", "ratio [95 % interval]", "target", "verdict");
        table.row(
                comparison.what(),
                comparison.ratioText(),
                comparison.targetText(),
                counted.isEmpty() ? TargetVerdict.OPEN.text() : comparison.verdictText());
        return table.text();
    }

    private static String number(double micros) {
        return String.format(Locale.ROOT, "%.0f", micros);
    }
}
