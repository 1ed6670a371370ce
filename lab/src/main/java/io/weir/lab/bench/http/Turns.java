package io.weir.lab.bench.http;

import io.weir.lab.bench.figures.Series;
import io.weir.lab.bench.process.BenchFailure;
import io.weir.lab.bench.process.BenchProcesses;
import io.weir.lab.bench.process.Contender;
import io.weir.lab.bench.process.ProcessStat;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Measures contenders in turn: A B C A B C … Lives for one run; confined to its thread. */
final class Turns {
    /** Figures that differ by less than this fraction are equal. */
    private static final double STEADY = 0.05;

    /** A compiler that uses less than this fraction of a turn has finished. */
    private static final double RESTING = 0.03;

    private final Bed bed;
    private final BenchOptions options;
    private final PrintStream out;

    Turns(Bed bed, BenchOptions options, PrintStream out) {
        this.bed = bed;
        this.options = options;
        this.out = out;
    }

    /** Which share of the requests may or must reach the origin. */
    enum Reaching {
        NONE {
            @Override
            boolean holds(double share) {
                return share < 0.01;
            }
        },
        ALL {
            @Override
            boolean holds(double share) {
                return share > 0.99;
            }
        };

        abstract boolean holds(double share);
    }

    /**
     * Warms all up, then gives each its turns.
     *
     * @throws BenchFailure if the origin gets more or fewer requests than expected: then something else was measured
     */
    List<Series> run(List<Contender> contenders, Reaching reaching) throws Exception {
        warmUp(contenders);
        double[][] micros = new double[contenders.size()][options.rounds()];
        double[][] perSecond = new double[contenders.size()][options.rounds()];
        for (int round = 0; round < options.rounds(); round++) {
            StringBuilder line = new StringBuilder("round " + (round + 1) + " of " + options.rounds() + ":");
            for (int i = 0; i < contenders.size(); i++) {
                turn(contenders.get(i), reaching, micros[i], perSecond[i], round);
                line.append(String.format(
                        Locale.ROOT, "  %s %.1f", contenders.get(i).name(), micros[i][round]));
            }
            out.println(line);
        }
        List<Series> series = new ArrayList<>();
        for (int i = 0; i < contenders.size(); i++) {
            series.add(new Series(contenders.get(i).name(), micros[i], perSecond[i]));
        }
        return series;
    }

    private void warmUp(List<Contender> contenders) throws Exception {
        out.println("warming up");
        Set<Long> warm = new HashSet<>();
        for (Contender contender : contenders) {
            contender.before().run();
            int turns = warmUp(contender, contender.jvm() && warm.add(contender.pid()));
            out.println("  " + contender.name() + ": " + turns * options.seconds() + " s");
        }
    }

    /**
     * Loads until the figures of two consecutive turns agree and, for a JVM, the compiler is idle; returns the number
     * of turns.
     */
    private int warmUp(Contender contender, boolean compiles) throws Exception {
        int least = options.warmUpTurns(compiles);
        Warm before = warm(contender, compiles);
        int turns = 1;
        for (Warm now; turns < least || (compiles && turns < options.longestWarmUpTurns()); before = now) {
            now = warm(contender, compiles);
            turns++;
            if (turns >= least
                    && now.compiling() < RESTING
                    && Math.abs(now.micros() - before.micros()) < STEADY * before.micros()) {
                break;
            }
        }
        return turns;
    }

    /**
     * A warm-up turn.
     *
     * @param micros processor time of a request
     * @param compiling the compiler's share of them
     */
    private record Warm(double micros, double compiling) {}

    private Warm warm(Contender contender, boolean compiles) throws Exception {
        Map<Long, Long> before = BenchProcesses.family(contender.pid());
        double compiled = compiles ? BenchProcesses.compilerMicros(contender.pid()) : 0;
        Wrk wrk = bed.warm(contender, options.seconds());
        double all = ProcessStat.microsBetween(before, BenchProcesses.family(contender.pid()));
        double compiler = compiles ? BenchProcesses.compilerMicros(contender.pid()) - compiled : 0;
        return new Warm(all / Math.max(1, wrk.requests()), compiler / Math.max(1, all));
    }

    private void turn(Contender contender, Reaching reaching, double[] micros, double[] perSecond, int round)
            throws Exception {
        contender.before().run();
        long seen = bed.originRequests();
        Map<Long, Long> before = BenchProcesses.family(contender.pid());
        Wrk wrk = bed.load(contender, options.seconds());
        Map<Long, Long> after = BenchProcesses.family(contender.pid());
        check(contender, reaching, wrk, bed.originRequests() - seen);
        micros[round] = ProcessStat.microsBetween(before, after) / wrk.requests();
        perSecond[round] = wrk.requests() / wrk.seconds();
    }

    private void check(Contender contender, Reaching reaching, Wrk wrk, long reached) throws IOException, BenchFailure {
        if (wrk.requests() == 0) {
            throw new BenchFailure(contender.name() + " answered nothing");
        }
        if (wrk.disturbed() > 0) {
            out.println("  " + contender.name() + ": " + wrk.disturbed() + " socket errors or time-outs");
        }
        if (!reaching.holds((double) reached / wrk.requests())) {
            throw new BenchFailure(contender.name() + ": of " + wrk.requests() + " requests " + reached
                    + " reached the origin; that is not what this scenario measures");
        }
    }
}
