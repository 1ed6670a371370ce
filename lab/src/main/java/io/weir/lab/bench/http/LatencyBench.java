package io.weir.lab.bench.http;

import io.weir.base.Chance;
import io.weir.lab.bench.figures.Comparison;
import io.weir.lab.bench.figures.PairedRatio;
import io.weir.lab.bench.figures.Table;
import io.weir.lab.bench.peer.Peer;
import io.weir.lab.bench.peer.Targets;
import io.weir.lab.bench.peer.WeirConfigs;
import io.weir.lab.bench.process.Child;
import io.weir.lab.bench.process.Contender;
import io.weir.lab.bench.process.WeirServer;
import java.io.PrintStream;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * Latency at a steady rate: half of the best peer's peak, which is measured first; then each server in turn. Lives for
 * one run; confined to its thread.
 */
final class LatencyBench {
    private static final String PATH = "/o";
    private static final int CONNECTIONS = 64;
    private final BenchOptions options;
    private final Bed bed;
    private final Map<String, String> versions;
    private final Chance chance;
    private final PrintStream out;

    LatencyBench(BenchOptions options, Bed bed, Map<String, String> versions, Chance chance, PrintStream out) {
        this.options = options;
        this.bed = bed;
        this.versions = versions;
        this.chance = chance;
        this.out = out;
    }

    void run() throws Exception {
        boolean cache = options.scenario().caches();
        WeirServer weir = bed.weir(WeirConfigs.plain(bed.originPort(), cache));
        out.println("weir: " + weir.memory());
        List<Contender> contenders = new ArrayList<>(List.of(weir.contender("weir", PATH)));
        for (Peer peer : options.peers()) {
            Child child = bed.peer(peer, cache, CONNECTIONS, false);
            contenders.add(Contender.of(peer.key(), child.pid(), child.port(), PATH, false));
        }
        double peak = peak(contenders);
        double rate = options.rate() > 0 ? options.rate() : peak / 2;
        out.printf(Locale.ROOT, "steady rate: %.0f requests/s, %.2f of the best peer's peak%n", rate, rate / peak);
        List<List<SteadyLoad.Tail>> tails = turns(contenders, rate);
        print(contenders, tails);
    }

    /** The best peer's peak; Weir's if there is none. All are warm afterwards. */
    private double peak(List<Contender> contenders) throws Exception {
        double best = 0;
        for (Contender each : contenders) {
            bed.load(each, options.warmUpTurns(each.jvm()) * options.seconds());
            Counts load = bed.load(each, options.seconds());
            double perSecond = load.requests() / load.seconds();
            out.printf(Locale.ROOT, "  %s: %.0f requests/s at its peak%n", each.name(), perSecond);
            if (!each.jvm() || contenders.size() == 1) {
                best = Math.max(best, perSecond);
            }
        }
        return best;
    }

    private List<List<SteadyLoad.Tail>> turns(List<Contender> contenders, double rate) throws Exception {
        List<List<SteadyLoad.Tail>> tails = new ArrayList<>();
        contenders.forEach(_ -> tails.add(new ArrayList<>()));
        try (SteadyLoad load = SteadyLoad.start(bed.onLoadCore())) {
            for (Contender each : contenders) {
                load.turn(URI.create(each.url()).getPort(), PATH, rate, options.seconds());
            }
            for (int round = 0; round < options.rounds(); round++) {
                StringBuilder line =
                        new StringBuilder("round " + (round + 1) + " of " + options.rounds() + ", p99.9 us:");
                for (int i = 0; i < contenders.size(); i++) {
                    Contender each = contenders.get(i);
                    SteadyLoad.Tail tail = load.turn(URI.create(each.url()).getPort(), PATH, rate, options.seconds());
                    if (tail.unanswered() > 0) {
                        out.println("  " + each.name() + ": " + tail.unanswered() + " requests without an answer");
                    }
                    tails.get(i).add(tail);
                    line.append(String.format(Locale.ROOT, "  %s %.0f", each.name(), tail.p999()));
                }
                out.println(line);
            }
        }
        return tails;
    }

    private void print(List<Contender> contenders, List<List<SteadyLoad.Tail>> tails) {
        Table table = new Table("server", "version", "p50 us", "p99 us", "p99.9 us", "most us");
        for (int i = 0; i < contenders.size(); i++) {
            List<SteadyLoad.Tail> of = tails.get(i);
            String name = contenders.get(i).name();
            table.row(
                    name,
                    versions.getOrDefault(name, "-"),
                    number(median(of, SteadyLoad.Tail::p50)),
                    number(median(of, SteadyLoad.Tail::p99)),
                    number(median(of, SteadyLoad.Tail::p999)),
                    number(of.stream().mapToDouble(SteadyLoad.Tail::most).max().orElse(0)));
        }
        out.println();
        out.println("times from when each request was due; medians of the turns, but for most");
        out.println();
        out.print(table.text());
        if (contenders.size() > 1) {
            out.println();
            out.print(ratio(contenders, tails));
        }
        out.println();
    }

    private String ratio(List<Contender> contenders, List<List<SteadyLoad.Tail>> tails) {
        int best = 1;
        for (int i = 2; i < contenders.size(); i++) {
            if (median(tails.get(i), SteadyLoad.Tail::p999) < median(tails.get(best), SteadyLoad.Tail::p999)) {
                best = i;
            }
        }
        PairedRatio ratio = PairedRatio.of(
                figures(tails.getFirst(), SteadyLoad.Tail::p999),
                figures(tails.get(best), SteadyLoad.Tail::p999),
                chance);
        Comparison comparison =
                new Comparison("weir / " + contenders.get(best).name() + ", p99.9", ratio, List.of(Targets.TAIL));
        Table table = new Table("time of answers", "ratio [95 % interval]", "target", "verdict");
        table.row(comparison.what(), comparison.ratioText(), comparison.targetText(), comparison.verdictText());
        return table.text();
    }

    private static double median(List<SteadyLoad.Tail> tails, ToDoubleFunction<SteadyLoad.Tail> of) {
        return PairedRatio.median(figures(tails, of));
    }

    private static double[] figures(List<SteadyLoad.Tail> tails, ToDoubleFunction<SteadyLoad.Tail> of) {
        return tails.stream().mapToDouble(of).toArray();
    }

    private static String number(double micros) {
        return String.format(Locale.ROOT, "%.0f", micros);
    }
}
