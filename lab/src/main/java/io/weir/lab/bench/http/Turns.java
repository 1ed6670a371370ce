package io.weir.lab.bench.http;

import io.weir.lab.bench.figures.Series;
import io.weir.lab.bench.process.BenchFailure;
import io.weir.lab.bench.process.BenchProcesses;
import io.weir.lab.bench.process.Contender;
import io.weir.lab.bench.process.ContenderFailure;
import io.weir.lab.bench.process.ProcessStat;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Measures contenders in turn: A B C A B C … Lives for one run; confined to its thread. */
public final class Turns {
    /** Figures that differ by less than this fraction are equal. */
    private static final double STEADY = 0.05;

    /** A compiler that uses less than this fraction of a turn has finished. */
    private static final double RESTING = 0.03;

    /** Turns of a JVM that an earlier run has warmed up. */
    private static final int LEAST_AGAIN = 2;

    private final BenchOptions options;
    private final PrintStream out;
    /** JVMs that earlier runs have warmed up. */
    private final Set<Long> known = new HashSet<>();

    public Turns(BenchOptions options, PrintStream out) {
        this.options = options;
        this.out = out;
    }

    /**
     * Warms all up, then gives each its turns.
     *
     * @throws ContenderFailure if the origin gets more or fewer requests than expected: then something else was measured
     */
    public List<Series> run(List<Entrant> contenders) throws Exception {
        warmUp(contenders);
        double[][] micros = new double[contenders.size()][options.rounds()];
        double[][] perSecond = new double[contenders.size()][options.rounds()];
        for (int round = 0; round < options.rounds(); round++) {
            StringBuilder line = new StringBuilder("round " + (round + 1) + " of " + options.rounds() + ":");
            for (int i = 0; i < contenders.size(); i++) {
                try {
                    turn(contenders.get(i), micros[i], perSecond[i], round);
                } catch (BenchFailure e) {
                    throw new ContenderFailure(name(contenders.get(i)), e);
                }
                line.append(String.format(Locale.ROOT, "  %s %.1f", name(contenders.get(i)), micros[i][round]));
            }
            out.println(line);
        }
        List<Series> series = new ArrayList<>();
        for (int i = 0; i < contenders.size(); i++) {
            series.add(new Series(name(contenders.get(i)), micros[i], perSecond[i]));
        }
        return series;
    }

    private static String name(Entrant entrant) {
        return entrant.contender().name();
    }

    /** Loads each until its figures are steady. */
    void warmUp(List<Entrant> contenders) throws Exception {
        out.println("warming up");
        Set<Long> warm = new HashSet<>();
        for (Entrant entrant : contenders) {
            Contender contender = entrant.contender();
            contender.before().run();
            int turns;
            try {
                turns = warmUp(entrant, contender.jvm() && warm.add(contender.pid()));
            } catch (BenchFailure e) {
                throw new ContenderFailure(contender.name(), e);
            }
            out.println("  " + contender.name() + ": " + turns * options.seconds() + " s");
        }
        known.addAll(warm);
    }

    /**
     * Loads until the figures of two consecutive turns agree and, for a JVM, the compiler is idle; returns the number
     * of turns.
     */
    private int warmUp(Entrant contender, boolean compiles) throws Exception {
        boolean again = known.contains(contender.contender().pid());
        int least = again ? LEAST_AGAIN : options.warmUpTurns(compiles);
        int most = options.longestWarmUpTurns() / (again ? 2 : 1);
        Warm before = warm(contender, compiles);
        int turns = 1;
        for (Warm now; turns < least || (compiles && turns < most); before = now) {
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

    private Warm warm(Entrant entrant, boolean compiles) throws Exception {
        long pid = entrant.contender().pid();
        Map<Long, Long> before = BenchProcesses.family(pid);
        double compiled = compiles ? BenchProcesses.compilerMicros(pid) : 0;
        Counts counts = answered(entrant, entrant.warm().run(entrant.contender(), options.seconds()));
        double all = ProcessStat.microsBetween(before, BenchProcesses.family(pid));
        double compiler = compiles ? BenchProcesses.compilerMicros(pid) - compiled : 0;
        return new Warm(all / Math.max(1, counts.requests()), compiler / Math.max(1, all));
    }

    private void turn(Entrant entrant, double[] micros, double[] perSecond, int round) throws Exception {
        Contender contender = entrant.contender();
        contender.before().run();
        long seen = entrant.origin().requests();
        Map<Long, Long> before = BenchProcesses.family(contender.pid());
        Counts counts = answered(entrant, entrant.load().run(contender, options.seconds()));
        Map<Long, Long> after = BenchProcesses.family(contender.pid());
        check(entrant, counts, entrant.origin().requests() - seen);
        micros[round] = ProcessStat.microsBetween(before, after) / counts.requests();
        perSecond[round] = counts.requests() / counts.seconds();
    }

    private static Counts answered(Entrant entrant, Counts counts) throws BenchFailure {
        if (counts.refused() > 0) {
            throw new BenchFailure(name(entrant) + " answered " + counts.refused() + " requests with an error");
        }
        return counts;
    }

    private void check(Entrant entrant, Counts counts, long reached) throws BenchFailure {
        if (counts.requests() == 0) {
            throw new BenchFailure(name(entrant) + " answered nothing");
        }
        if (counts.disturbed() > 0) {
            out.println("  " + name(entrant) + ": " + counts.disturbed() + " socket errors or time-outs");
        }
        if (!entrant.reaching().holds((double) reached / counts.requests())) {
            throw new BenchFailure(name(entrant) + ": of " + counts.requests() + " requests " + reached
                    + " reached the origin; that is not what this scenario measures");
        }
    }
}
