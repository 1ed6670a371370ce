package io.weir.lab.bench.jms;

import io.weir.base.Chance;
import io.weir.base.Clock;
import io.weir.lab.bench.figures.Findings;
import io.weir.lab.bench.figures.Preflight;
import io.weir.lab.bench.process.BenchFailure;
import io.weir.lab.bench.process.JmsJvm;
import io.weir.lab.bench.process.LineProcess;
import io.weir.lab.bench.process.PeerProgram;
import io.weir.lab.bench.process.Tools;
import io.weir.lab.bench.process.WeirServer;
import io.weir.lab.jmsload.Turn;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The benchmark of messaging: pre-flight, brokers, turns, findings. Lives for one run; confined to its thread. */
public final class JmsBench {
    /** The build that is judged. */
    static final String WEIR = "weir";

    /** The other build of {@code --against}. */
    static final String OTHER = "weir, other build";

    private static final String SHIPPED = "artemis";
    private static final String TUNED = "artemis, tuned";
    private final JmsBenchOptions options;
    private final WeirServer.Build build;
    private final WeirServer.@Nullable Build other;
    private final Clock clock;
    private final PrintStream out;
    private final Chance chance;

    /**
     * Compares a build of Weir with another broker.
     *
     * @throws BenchFailure if the other build of the options does not exist
     */
    public JmsBench(JmsBenchOptions options, WeirServer.Build build, Clock clock, PrintStream out)
            throws IOException, BenchFailure {
        this.options = options;
        this.build = options.against() == null ? build : build.withoutCache();
        this.other = options.against() == null ? null : this.build.of(options.against());
        this.clock = clock;
        this.out = out;
        this.chance = Chance.seeded(options.seed());
    }

    public void run() throws Exception {
        Tools tools = Tools.find(
                EnumSet.of(PeerProgram.TASKSET), String.valueOf(System.getenv("PATH")), options.install(), out);
        if (options.install()) {
            Tools.installPackages(List.of("libaio1"), out);
        }
        Path home = Path.of(System.getProperty("weir.home", "."));
        Preflight preflight = Preflight.measure(JmsBed.parent(home), clock);
        out.println(preflight.text());
        say(Findings.warning(preflight.reasons()));
        if (preflight.processors() < 2) {
            throw new BenchFailure("two processors are needed");
        }
        out.println("messages of 1 KB, " + options.rounds() + " rounds of " + options.seconds() + " s, seed "
                + options.seed() + "; brokers on processor 0, clients on processor 1, JVMs with "
                + String.join(" ", JmsJvm.FLAGS) + " (Weir as ./weir run starts it)");
        JmsBed bed = new JmsBed(tools, home, clock);
        Thread end = new Thread(() -> closeAtEnd(bed), "bench end");
        Runtime.getRuntime().addShutdownHook(end);
        try (bed) {
            scenarios(bed, preflight);
        }
        Runtime.getRuntime().removeShutdownHook(end);
        List<String> reasons = new ArrayList<>(preflight.reasons());
        if (Preflight.others(clock) > Preflight.MAX_OTHERS) {
            reasons.add("other programs use the processors at the end of the run");
        }
        say(Findings.warning(reasons));
    }

    private void closeAtEnd(JmsBed bed) {
        try {
            bed.close();
        } catch (IOException e) {
            out.println("the benchmark's folder could not be deleted: " + e);
        }
    }

    private void say(String line) {
        if (!line.isEmpty()) {
            out.println(line);
        }
    }

    private void scenarios(JmsBed bed, Preflight preflight) throws Exception {
        List<JmsContender> plain = List.of();
        for (JmsScenario scenario : options.scenarios()) {
            out.println();
            out.println("## " + scenario.key() + ": " + scenario.title());
            int mark = bed.mark();
            switch (scenario) {
                case CONNECTS_TLS -> measure(scenario, started(bed, preflight, true), 0);
                case IDLE_CONSUMERS -> new JmsIdle(options, starters(bed, preflight, false), bed, chance, out).run();
                default -> {
                    plain = plain.isEmpty() ? started(bed, preflight, false) : plain;
                    mark = bed.mark();
                    among(scenario, plain, bed);
                }
            }
            bed.stop(mark);
        }
    }

    private static List<JmsContender> all(List<JmsIdle.Starter> starters) throws Exception {
        List<JmsContender> all = new ArrayList<>();
        for (JmsIdle.Starter each : starters) {
            all.add(each.start());
        }
        return all;
    }

    private List<JmsContender> started(JmsBed bed, Preflight preflight, boolean secure) throws Exception {
        return all(starters(bed, preflight, secure));
    }

    private List<JmsIdle.Starter> starters(JmsBed bed, Preflight preflight, boolean secure) {
        List<JmsIdle.Starter> starters = new ArrayList<>();
        starters.add(() -> bed.weir(WEIR, build, secure));
        WeirServer.Build second = other;
        if (second != null) {
            starters.add(() -> bed.weir(OTHER, second, secure));
        }
        if (options.artemis()) {
            starters.add(() -> bed.artemis(SHIPPED, false, preflight.forces(), secure));
            starters.add(() -> bed.artemis(TUNED, true, preflight.forces(), secure));
        }
        return starters;
    }

    private void among(JmsScenario scenario, List<JmsContender> contenders, JmsBed bed) throws Exception {
        switch (scenario) {
            case CASE_STUDY -> new JmsCaseStudy(options, contenders, out).run();
            case SLOW_SUBSCRIBER -> beside(contenders.getFirst());
            case EXTRA_SUBSCRIBER -> new JmsSubscribers(options, false, chance, out).run(contenders);
            case EXTRA_SUBSCRIBER_SHARED -> new JmsSubscribers(options, true, chance, out).run(contenders);
            case PERSISTENT, PERSISTENT_AUTO -> forced(scenario, contenders, bed.probe());
            default -> measure(scenario, contenders, scenario == JmsScenario.PACED ? rate(contenders) : 0);
        }
    }

    /**
     * The effect of a slow durable subscriber on another one: the same broker, in turn. First at full speed, where the
     * second subscription takes its share of a saturated processor; then at half of it, where it should have no effect.
     */
    private void beside(JmsContender weir) throws Exception {
        for (int i = 0; i < JmsScenario.SLOW_SUBSCRIBER.warmUpTurns(); i++) {
            weir.turn(JmsScenario.beside(i % 2, 0, options.seconds()));
        }
        double full = beside(weir, "", 0);
        beside(weir, ", half speed", full / 2);
    }

    private double beside(JmsContender weir, String speed, double rate) throws Exception {
        JmsSeries beside = new JmsSeries("beside a slow one" + speed);
        JmsSeries alone = new JmsSeries("alone" + speed);
        for (int round = 0; round < options.rounds(); round++) {
            alone.add(weir.turn(JmsScenario.beside(0, rate, options.seconds())));
            beside.add(weir.turn(JmsScenario.beside(1, rate, options.seconds())));
        }
        List<JmsSeries> both = List.of(beside, alone);
        out.print(JmsFindings.figures(both, JmsScenario.SLOW_SUBSCRIBER));
        out.println();
        out.print(JmsFindings.ratios(both, JmsScenario.SLOW_SUBSCRIBER, chance));
        out.println();
        return alone.median(f -> f.measured().perSecond());
    }

    /** Half of the best peer's peak, so that no broker is saturated. */
    private double rate(List<JmsContender> contenders) throws Exception {
        if (options.rate() > 0) {
            return options.rate();
        }
        double best = 0;
        for (JmsContender each : contenders.size() > 1 ? contenders.subList(1, contenders.size()) : contenders) {
            Turn closed = JmsScenario.TRIPS.turn(options.seconds(), 0);
            each.turn(closed);
            best = Math.max(best, each.turn(closed).measured().perSecond());
        }
        out.println(String.format(Locale.ROOT, "%.0f questions a second", best / 2));
        return best / 2;
    }

    private void measure(JmsScenario scenario, List<JmsContender> contenders, double rate) throws Exception {
        Turn turn = scenario.turn(options.seconds(), rate);
        warmUp(contenders, turn, scenario.warmUpTurns());
        List<JmsSeries> series =
                contenders.stream().map(c -> new JmsSeries(c.name())).toList();
        for (int round = 0; round < options.rounds(); round++) {
            StringBuilder line = begun(round);
            for (int i = 0; i < contenders.size(); i++) {
                JmsContender.Figures figures = contenders.get(i).turn(turn);
                series.get(i).add(figures);
                line.append(figures(contenders.get(i), figures));
            }
            out.println(line);
        }
        print(scenario, series);
    }

    /** Turns of a persistent producer between probes of the disk. */
    private void forced(JmsScenario scenario, List<JmsContender> contenders, LineProcess probe) throws Exception {
        Turn turn = scenario.turn(options.seconds(), 0);
        warmUp(contenders, turn, scenario.warmUpTurns());
        List<JmsSeries> series =
                contenders.stream().map(c -> new JmsSeries(c.name())).toList();
        List<JmsForces> forces =
                contenders.stream().map(c -> new JmsForces(c.name())).toList();
        forces.getFirst().probe(probe);
        for (int round = 0; round < options.rounds(); round++) {
            StringBuilder line = begun(round);
            for (int i = 0; i < contenders.size(); i++) {
                JmsContender contender = contenders.get(i);
                WeirServer weir = contender.weir();
                double before = weir == null ? 0 : forces.get(i).probe(probe);
                JmsForces.Written written = weir == null ? null : JmsForces.written(weir);
                JmsContender.Figures figures = contender.turn(turn);
                series.get(i).add(figures);
                line.append(figures(contender, figures));
                if (weir != null && written != null) {
                    JmsForces.Written more = JmsForces.written(weir).since(written);
                    double after = forces.get(i).probe(probe);
                    forces.get(i).add(figures.measured().perSecond(), before, after, more);
                    line.append(String.format(Locale.ROOT, " of %.0f forced writes/s", (before + after) / 2));
                }
            }
            out.println(line);
        }
        print(scenario, series);
        for (int i = 0; i < contenders.size(); i++) {
            if (contenders.get(i).weir() != null) {
                out.println();
                out.print(forces.get(i).text(chance));
            }
        }
    }

    private static void warmUp(List<JmsContender> contenders, Turn turn, int turns) throws Exception {
        for (JmsContender each : contenders) {
            for (int i = 0; i < turns; i++) {
                each.load().turn(turn, () -> {}, () -> {});
            }
        }
    }

    private StringBuilder begun(int round) {
        return new StringBuilder("round " + (round + 1) + " of " + options.rounds() + ":");
    }

    private static String figures(JmsContender contender, JmsContender.Figures figures) {
        return String.format(
                Locale.ROOT,
                "  %s %.0f/s %.1f us",
                contender.name(),
                figures.measured().perSecond(),
                figures.brokerMicros());
    }

    private void print(JmsScenario scenario, List<JmsSeries> series) {
        out.println();
        out.print(JmsFindings.figures(series, scenario));
        out.println();
        out.print(JmsFindings.ratios(series, scenario, chance));
    }
}
