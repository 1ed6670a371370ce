package io.weir.lab.bench.http;

import io.weir.base.Chance;
import io.weir.base.Clock;
import io.weir.lab.bench.cell.Reaching;
import io.weir.lab.bench.peer.Peer;
import io.weir.lab.bench.peer.WeirConfigs;
import io.weir.lab.bench.process.BenchFailure;
import io.weir.lab.bench.process.BenchProcesses;
import io.weir.lab.bench.process.Child;
import io.weir.lab.bench.process.Contender;
import io.weir.lab.bench.process.ProcessStat;
import io.weir.lab.bench.process.WeirServer;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Latency at a steady rate: half of the best peer's peak, which is measured first; then each server in turn. Lives for
 * one run; confined to its thread.
 */
final class LatencyBench {
    private static final String WEIR = "weir";
    private static final String PATH = "/o";
    private static final int CONNECTIONS = 64;
    /** Turns of each server at its peak, a second each. */
    private static final int PEAK_TURNS = 8;
    /** At most so many times as many rounds as are wanted: some are not counted. */
    private static final int PATIENCE = 3;
    /** Turns at the steady rate before the first round: a JVM compiles again what this load reaches. */
    private static final int STEADY_WARM_UP = 10;

    private static final double RESTING = 0.01;

    private final BenchOptions options;
    private final Bed bed;
    private final Map<String, String> versions;
    private final Chance chance;
    private final Clock clock;
    private final PrintStream out;
    private final boolean http2;

    LatencyBench(
            BenchOptions options, Bed bed, Map<String, String> versions, Chance chance, Clock clock, PrintStream out) {
        this.options = options;
        this.bed = bed;
        this.versions = versions;
        this.chance = chance;
        this.clock = clock;
        this.out = out;
        this.http2 = options.scenario().http2();
    }

    void run() throws Exception {
        List<Contender> contenders = contenders();
        LoadRun peak = http2 ? new H2loadTurns(bed, H2loadTurns.MANY) : bed::load;
        new Turns(options, out)
                .warmUp(contenders.stream()
                        .map(c -> new Entrant(c, reaching(), peak, peak, bed::originRequests))
                        .toList());
        SteadyRate rate = rate(contenders, peak);
        TailRounds rounds =
                new TailRounds(contenders.stream().map(Contender::name).toList());
        try (SteadyLoad load = SteadyLoad.start(bed.onLoadCore(), http2)) {
            warmUp(load, contenders, rate.perSecond());
            while (rounds.counted() < options.rounds() && rounds.tried() < PATIENCE * options.rounds()) {
                round(load, contenders, rate, rounds);
            }
        }
        print(rounds, rate, contenders.size() > 1);
    }

    private List<Contender> contenders() throws Exception {
        boolean cache = options.scenario().caches();
        WeirServer weir = bed.weir(
                http2
                        ? WeirConfigs.secure(bed.originPort(), cache, bed.keys())
                        : WeirConfigs.plain(bed.originPort(), cache));
        out.println("weir: " + weir.memory());
        List<Contender> contenders = new ArrayList<>(List.of(asked(weir.contender(WEIR, PATH))));
        for (Peer peer : options.peers()) {
            Child child = bed.peer(peer, cache, CONNECTIONS, http2, http2);
            contenders.add(asked(Contender.of(peer.key(), child.pid(), child.port(), PATH, false)));
        }
        return contenders;
    }

    private Contender asked(Contender plain) {
        return http2 ? plain.secure() : plain;
    }

    private Reaching reaching() {
        return options.scenario().caches() ? Reaching.NONE : Reaching.ALL;
    }

    /**
     * Half of the best peer's peak; of Weir's if there is none. A peak is the lowest of several turns, spread over the
     * time in which all have theirs: a machine that changes its speed is at the lower one in some of them.
     */
    private SteadyRate rate(List<Contender> contenders, LoadRun load) throws Exception {
        double[] lowest = new double[contenders.size()];
        double[] highest = new double[contenders.size()];
        Arrays.fill(lowest, Double.MAX_VALUE);
        for (int turn = 0; turn < PEAK_TURNS; turn++) {
            for (int i = 0; i < lowest.length; i++) {
                Counts counts = load.run(contenders.get(i), 1);
                if (counts.refused() > 0 || counts.requests() == 0) {
                    throw new BenchFailure(contenders.get(i).name() + " answered " + counts.requests()
                            + " requests, and " + counts.refused() + " with an error");
                }
                double perSecond = counts.requests() / counts.seconds();
                lowest[i] = Math.min(lowest[i], perSecond);
                highest[i] = Math.max(highest[i], perSecond);
            }
        }
        double best = 0;
        for (int i = 0; i < lowest.length; i++) {
            out.printf(
                    Locale.ROOT,
                    "  %s: %.0f requests/s at its lowest peak of %d, %.0f at its highest%n",
                    contenders.get(i).name(),
                    lowest[i],
                    PEAK_TURNS,
                    highest[i]);
            if (i > 0 || lowest.length == 1) {
                best = Math.max(best, lowest[i]);
            }
        }
        double perSecond = options.rate() > 0 ? options.rate() : best / 2;
        out.printf(
                Locale.ROOT,
                "steady rate: %.0f requests/s, %.2f of the best peer's peak%n",
                perSecond,
                perSecond / best);
        return new SteadyRate(perSecond, options.rate() > 0);
    }

    /** Turns until no server's compiler works. */
    private void warmUp(SteadyLoad load, List<Contender> contenders, double perSecond) throws Exception {
        for (Contender each : contenders) {
            int turns = 0;
            double compiling;
            do {
                double before = each.jvm() ? BenchProcesses.compilerMicros(each.pid()) : 0;
                load.turn(each, perSecond, options.seconds());
                compiling = each.jvm() ? BenchProcesses.compilerMicros(each.pid()) - before : 0;
                turns++;
            } while (turns < STEADY_WARM_UP && compiling > RESTING * options.seconds() * 1e6);
        }
    }

    private void round(SteadyLoad load, List<Contender> contenders, SteadyRate rate, TailRounds rounds)
            throws Exception {
        double perSecond = rate.perSecond();
        List<SteadyLoad.Tail> tails = new ArrayList<>();
        StringBuilder line = new StringBuilder(
                String.format(Locale.ROOT, "round %d at %.0f/s, p99.9 us:", rounds.tried() + 1, perSecond));
        for (Contender each : contenders) {
            SteadyLoad.Tail tail = turn(load, each, perSecond);
            tails.add(tail);
            line.append(String.format(Locale.ROOT, "  %s %.0f", each.name(), tail.p999()));
        }
        Optional<TailRounds.NotCounted> not = rounds.take(tails);
        out.println(line);
        if (not.isEmpty()) {
            rate.kept();
            return;
        }
        out.println("  not counted: " + not.get().reason());
        if (rate.lost(not.get().saturated())) {
            out.printf(Locale.ROOT, "  the rate is lowered to %.0f requests/s%n", rate.perSecond());
        }
    }

    private SteadyLoad.Tail turn(SteadyLoad load, Contender contender, double perSecond) throws Exception {
        long seen = bed.originRequests();
        double origin = originMicros();
        long begun = clock.nanos();
        SteadyLoad.Tail alone = load.turn(contender, perSecond, options.seconds());
        double share = (originMicros() - origin) / ((clock.nanos() - begun) / 1e3);
        SteadyLoad.Tail tail = alone.beside(share);
        long reached = bed.originRequests() - seen;
        if (tail.unanswered() > 0) {
            out.println("  " + contender.name() + ": " + tail.unanswered() + " requests without an answer");
        } else if (!reaching().holds(reached / (perSecond * options.seconds()))) {
            throw new BenchFailure(contender.name() + ": " + reached
                    + " requests reached the origin; that is not what this scenario measures");
        }
        return tail;
    }

    /** Processor time of the origin, on the load's processor, since it was started. */
    private double originMicros() throws Exception {
        double micros = 0;
        for (long pid : bed.originPids()) {
            micros += ProcessStat.microsBetween(Map.of(), BenchProcesses.family(pid));
        }
        return micros;
    }

    private void print(TailRounds rounds, SteadyRate rate, boolean compared) {
        out.println();
        out.printf(
                Locale.ROOT,
                "times from when each request was due; %d of %d rounds count, the last at %.0f requests/s; medians of the"
                        + " turns, but for most; load late: the load's own delay, p99.9%n",
                rounds.counted(),
                rounds.tried(),
                rate.perSecond());
        out.println();
        out.print(rounds.figures(versions));
        if (compared) {
            out.println();
            out.print(rounds.ratio(chance));
        }
        out.println();
    }
}
