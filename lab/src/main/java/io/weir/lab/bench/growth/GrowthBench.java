package io.weir.lab.bench.growth;

import io.weir.base.Chance;
import io.weir.base.Clock;
import io.weir.lab.bench.figures.Findings;
import io.weir.lab.bench.figures.Series;
import io.weir.lab.bench.http.Bed;
import io.weir.lab.bench.http.BenchOptions;
import io.weir.lab.bench.http.BenchRun;
import io.weir.lab.bench.http.Entrant;
import io.weir.lab.bench.http.LoadRun;
import io.weir.lab.bench.http.Turns;
import io.weir.lab.bench.peer.GrowthConfigs;
import io.weir.lab.bench.peer.HttpScenario;
import io.weir.lab.bench.peer.Size;
import io.weir.lab.bench.process.BenchFailure;
import io.weir.lab.bench.process.BenchProcesses;
import io.weir.lab.bench.process.PeerProgram;
import io.weir.lab.bench.process.Tools;
import io.weir.lab.bench.process.WeirServer;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The benchmark of growth: for each growth a pre-flight, the servers of its steps, turns of all steps, findings. Lives
 * for one run; confined to its thread.
 */
public final class GrowthBench {
    private final GrowthOptions options;
    private final WeirServer.Build build;
    private final Clock clock;
    private final PrintStream out;
    private final List<GrowthResult> results = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();

    public GrowthBench(GrowthOptions options, WeirServer.Build build, Clock clock, PrintStream out) {
        this.options = options;
        this.build = build;
        this.clock = clock;
        this.out = out;
    }

    /**
     * Measures, prints the tables and writes the page and the charts.
     *
     * @throws BenchFailure after that, if a growth could not be measured
     */
    public void run() throws Exception {
        Tools tools = Tools.find(
                EnumSet.of(PeerProgram.TASKSET, PeerProgram.WRK, PeerProgram.NGINX),
                String.valueOf(System.getenv("PATH")),
                options.install(),
                out);
        for (Growth growth : options.growths()) {
            List<Long> steps = growth.steps(options.maxStep());
            GrowthResult result;
            try {
                result = measure(growth, steps, tools);
            } catch (BenchFailure | IOException e) {
                result = GrowthResult.failed(growth, String.valueOf(e.getMessage()));
            }
            results.add(result);
            print(result);
            write();
        }
        out.print(GrowthTable.summary(results));
        out.println();
        out.println("page: " + options.html());
        List<String> failed = results.stream()
                .filter(r -> r.ratio() == null)
                .map(r -> r.growth().key())
                .toList();
        if (!failed.isEmpty()) {
            throw new BenchFailure("not measured: " + String.join(", ", failed));
        }
    }

    private GrowthResult measure(Growth growth, List<Long> steps, Tools tools) throws Exception {
        String title = growth.key() + ": a " + growth.unit() + " by " + growth.title() + ", " + options.rounds()
                + " rounds of " + options.seconds() + " s, seed " + options.seed()
                + "; servers on processor 0, load and origin on processor 1";
        int addresses = HttpGrowths.addresses(growth, steps);
        List<GrowthResult> found = new ArrayList<>();
        List<String> busy = new BenchRun(clock, out)
                .run(
                        title,
                        () -> new Bed(
                                tools,
                                build,
                                clock,
                                GrowthConfigs.FILES,
                                (place, port) -> GrowthConfigs.origin(place, port, addresses)),
                        bed -> found.add(measure(growth, steps, bed)));
        String warning = Findings.warning(busy);
        if (!warning.isEmpty()) {
            notes.add(growth.key() + ": " + warning);
        }
        return found.getFirst();
    }

    private GrowthResult measure(Growth growth, List<Long> steps, Bed bed) throws Exception {
        return switch (growth) {
            case CONNECTIONS, OBJECTS, VARIANTS, ROUTES, FIELDS, ORIGINS, POOL, PROCESSES -> {
                try (HttpGrowths growths = new HttpGrowths(bed, build, options.seed(), this::note)) {
                    yield turns(growth, steps, growths.steps(growth));
                }
            }
            case QUEUES, SUBSCRIBERS, BACKLOG -> {
                try (MessageGrowths growths = new MessageGrowths(bed, build, options.seed())) {
                    yield turns(growth, steps, growths.steps(growth));
                }
            }
            case MEMBERS, SINGLETONS, TIMERS -> {
                IdleGrowths growths = new IdleGrowths(bed, build, clock, out);
                growths.start(growth, steps);
                List<Series> series = growths.windows(growth, options.rounds(), options.seconds());
                yield GrowthResult.of(growth, steps, series, growths.resident(), Chance.seeded(options.seed()));
            }
        };
    }

    private void note(String text) {
        out.println(text);
        notes.add(text);
    }

    private GrowthResult turns(Growth growth, List<Long> steps, GrowthSteps servers) throws Exception {
        Map<Long, Long> resident = new HashMap<>();
        List<Entrant> entrants = new ArrayList<>();
        List<Entrant> plain = servers.entrants(steps);
        for (int i = 0; i < plain.size(); i++) {
            entrants.add(remembering(plain.get(i), steps.get(i), resident));
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
        return GrowthResult.of(growth, steps, series, resident, Chance.seeded(options.seed()));
    }

    /** The same, whose server's memory is noted at the end of its warm-up. */
    private static Entrant remembering(Entrant entrant, long step, Map<Long, Long> resident) {
        LoadRun warm = (contender, seconds) -> {
            var counts = entrant.warm().run(contender, seconds);
            resident.put(step, BenchProcesses.residentBytes(contender.pid()));
            return counts;
        };
        return new Entrant(entrant.contender(), entrant.reaching(), warm, entrant.load(), entrant.origin());
    }

    private void print(GrowthResult result) {
        out.println();
        if (result.ratio() != null) {
            out.print(GrowthTable.steps(result));
            out.println();
        }
        out.println(result.ratioText());
        if (!result.memoryText().isEmpty()) {
            out.println(result.memoryText());
        }
        out.println();
    }

    private void write() throws IOException {
        Path page = options.html().toAbsolutePath();
        Files.createDirectories(page.getParent());
        Files.writeString(page, new GrowthPage(options, build.version(), notes).text(results));
        Path svg = options.svg();
        if (svg != null) {
            Files.createDirectories(svg);
            for (GrowthResult each : results) {
                if (each.ratio() != null) {
                    Files.writeString(svg.resolve(each.growth().key() + ".svg"), GrowthChart.svg(each));
                }
            }
        }
    }
}
