package io.weir.lab.bench.rules;

import io.weir.base.Chance;
import io.weir.base.Clock;
import io.weir.lab.bench.cell.Reaching;
import io.weir.lab.bench.figures.Comparison;
import io.weir.lab.bench.figures.Findings;
import io.weir.lab.bench.figures.PairedRatio;
import io.weir.lab.bench.figures.Series;
import io.weir.lab.bench.http.Bed;
import io.weir.lab.bench.http.BenchOptions;
import io.weir.lab.bench.http.BenchRun;
import io.weir.lab.bench.http.Entrant;
import io.weir.lab.bench.http.LoadRun;
import io.weir.lab.bench.http.Turns;
import io.weir.lab.bench.peer.GrowthConfigs;
import io.weir.lab.bench.peer.HttpScenario;
import io.weir.lab.bench.peer.RuleCase;
import io.weir.lab.bench.peer.Size;
import io.weir.lab.bench.peer.Targets;
import io.weir.lab.bench.peer.WeirConfigs;
import io.weir.lab.bench.process.Contender;
import io.weir.lab.bench.process.PeerProgram;
import io.weir.lab.bench.process.Tools;
import io.weir.lab.bench.process.WeirServer;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The benchmark of rules: response times of single requests by the number of {@code assign-name} directives, cached and
 * from a remote origin, and the processor time of a request with few and with many. Lives for one run; confined to its
 * thread.
 */
public final class RulesBench {
    /** Single requests of a turn; the first turn of a server warms it up. */
    private static final int CACHED_REQUESTS = 2000;

    private static final int REMOTE_REQUESTS = 10;
    private static final int WARM_UP_TURNS = 5;

    /** How late the remote origin answers: less than the guide's, whose share hides more. */
    private static final int REMOTE_MILLIS = 100;

    private static final String PATH = "/o";
    private static final int FEW = 10;

    private final RulesOptions options;
    private final WeirServer.Build build;
    private final Clock clock;
    private final PrintStream out;

    public RulesBench(RulesOptions options, WeirServer.Build build, Clock clock, PrintStream out) {
        this.options = options;
        this.build = build;
        this.clock = clock;
        this.out = out;
    }

    /** Measures and prints the tables. */
    public void run() throws Exception {
        Tools tools = Tools.find(
                EnumSet.of(PeerProgram.TASKSET, PeerProgram.WRK, PeerProgram.NGINX),
                String.valueOf(System.getenv("PATH")),
                options.install(),
                out);
        String title = "rules: " + options.rounds() + " rounds of " + options.seconds() + " s, seed " + options.seed()
                + "; servers on processor 0, load and origin on processor 1; weir " + build.version();
        new BenchRun(clock, out)
                .run(
                        title,
                        () -> new Bed(
                                tools,
                                build,
                                clock,
                                GrowthConfigs.FILES,
                                (place, port) -> GrowthConfigs.origin(place, port, 0)),
                        this::measure);
    }

    private void measure(Bed bed) throws Exception {
        List<Integer> rules =
                RulesTable.RULES.stream().filter(n -> n <= options.maxRules()).toList();
        List<WeirServer> cached = new ArrayList<>();
        for (int n : rules) {
            cached.add(server(bed, "cached", bed.originPort(), n, true));
        }
        out.println();
        out.println("Response time of a single request by the last rule, from the cache:");
        out.println();
        out.print(RulesTable.cached(rules, responseTimes(rules, cached, CACHED_REQUESTS)));
        cached.forEach(WeirServer::close);
        processorTime(bed, rules.getLast());
        try (RemoteOrigin remote = new RemoteOrigin(REMOTE_MILLIS)) {
            List<WeirServer> far = new ArrayList<>();
            for (int n : rules) {
                far.add(server(bed, "remote", remote.port(), n, false));
            }
            out.println();
            out.println("The same without a cache, from an origin that answers after " + REMOTE_MILLIS + " ms:");
            out.println();
            out.print(RulesTable.remote(rules, responseTimes(rules, far, REMOTE_REQUESTS)));
        }
    }

    private WeirServer server(Bed bed, String kind, int originPort, int rules, boolean cache) throws Exception {
        return bed.weir(build, WeirConfigs.objects(objects(bed, kind, originPort, rules), cache));
    }

    private static Path objects(Bed bed, String kind, int originPort, int rules) throws IOException {
        return bed.file(kind + "-" + rules + ".conf", RulesConfigs.objects(originPort, rules));
    }

    /** The median of each server's turns: A B C A B C … */
    private List<Double> responseTimes(List<Integer> rules, List<WeirServer> servers, int requests) throws Exception {
        SingleRequests single = new SingleRequests(clock);
        double[][] millis = new double[servers.size()][options.rounds()];
        for (int round = -WARM_UP_TURNS; round < options.rounds(); round++) {
            for (int i = 0; i < servers.size(); i++) {
                URI url = URI.create(
                        "http://127.0.0.1:" + servers.get(i).port() + RuleCase.LAST.path(rules.get(i)) + PATH);
                double measured = single.millis(url, requests);
                if (round >= 0) {
                    millis[i][round] = measured;
                }
            }
        }
        List<Double> medians = new ArrayList<>();
        for (double[] each : millis) {
            medians.add(PairedRatio.median(each));
        }
        return medians;
    }

    /** One server whose program is changed between turns, because two JVMs differ by more than the rules. */
    private void processorTime(Bed bed, int rules) throws Exception {
        WeirServer one = server(bed, "changed", bed.originPort(), FEW, true);
        Map<Integer, Path> objects = new LinkedHashMap<>();
        for (int n : List.of(FEW, rules)) {
            objects.put(n, objects(bed, "changed", bed.originPort(), n));
        }
        List<Entrant> entrants = new ArrayList<>();
        for (RuleCase each : RuleCase.values()) {
            objects.forEach((n, file) -> {
                Contender plain = one.contender(each.key() + ", " + n, each.path(n) + PATH);
                entrants.add(entrant(
                        bed,
                        new Contender(
                                plain.name(),
                                plain.pid(),
                                plain.url(),
                                true,
                                false,
                                () -> one.set("proxy.objects", file.toString()))));
            });
        }
        BenchOptions turns = new BenchOptions(
                options.rounds(),
                options.seconds(),
                Size.ONE,
                HttpScenario.HITS,
                List.of(),
                0,
                options.install(),
                options.seed(),
                null,
                null);
        List<Series> series = new Turns(turns, out).run(entrants);
        Chance chance = Chance.seeded(options.seed());
        List<Comparison> comparisons = new ArrayList<>();
        double[] few = new double[options.rounds()];
        double[] many = new double[options.rounds()];
        for (int i = 0; i < series.size(); i += 2) {
            Series less = series.get(i);
            Series more = series.get(i + 1);
            comparisons.add(comparison(more.name() + " / " + less.name(), more.micros(), less.micros(), chance));
            add(few, less.micros());
            add(many, more.micros());
        }
        comparisons.add(comparison("all, " + rules + " / all, " + FEW, many, few, chance));
        out.println();
        out.println("Processor time of a hit:");
        out.println();
        out.print(Findings.figures(series, Map.of()));
        out.println();
        out.print(Findings.ratios(comparisons));
    }

    private static void add(double[] sums, double[] micros) {
        for (int i = 0; i < sums.length; i++) {
            sums[i] += micros[i];
        }
    }

    private static Comparison comparison(String name, double[] many, double[] few, Chance chance) {
        return new Comparison(name, PairedRatio.of(many, few, chance), List.of(Targets.ROUTES));
    }

    private static Entrant entrant(Bed bed, Contender contender) {
        LoadRun load = (c, seconds) -> bed.wrk(c, seconds, List.of());
        return new Entrant(contender, Reaching.NONE, load, load, bed::originRequests);
    }
}
