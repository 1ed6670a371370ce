package io.weir.lab.bench.growth;

import io.weir.lab.bench.cell.Reaching;
import io.weir.lab.bench.http.Bed;
import io.weir.lab.bench.http.Counts;
import io.weir.lab.bench.http.Entrant;
import io.weir.lab.bench.http.LoadRun;
import io.weir.lab.bench.peer.GrowthConfigs;
import io.weir.lab.bench.peer.WeirConfigs;
import io.weir.lab.bench.process.BenchFailure;
import io.weir.lab.bench.process.Contender;
import io.weir.lab.bench.process.LineProcess;
import io.weir.lab.bench.process.WeirServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The growths of HTTP. One server takes all steps where a step can be undone or does not disturb the others; else there
 * is a server for each step. Lives for one growth; confined to its thread.
 */
final class HttpGrowths implements AutoCloseable {
    /** Requests in all orders until everything is stored: what was on the way when wrk ended may be missing. */
    private static final int PASSES = 3;

    /** From this on a filling runs longer without looking. */
    private static final long MANY = 50_000;

    private static final int LONG_SECONDS = 5;
    /** Numbers of connections of which the shares of processes are shown. */
    private static final int[] SHARED_OUT = {32, 1000};

    /** Seconds in which a server that was just started and has many rules may answer nothing. */
    private static final int EMPTY = 60;

    /** Bookkeeping of a million objects is beyond the usual heap; all steps have the same. */
    private static final String ROOMY_HEAP = "-Xmx3g";

    private final Bed bed;
    private final WeirServer.Build build;
    private final long seed;
    private final Consumer<String> notes;
    private @Nullable LineProcess connections;

    /** @param notes takes what else was found */
    HttpGrowths(Bed bed, WeirServer.Build build, long seed, Consumer<String> notes) {
        this.bed = bed;
        this.build = build;
        this.seed = seed;
        this.notes = notes;
    }

    /** How many addresses of its own the origin needs. */
    static int addresses(Growth growth, List<Long> steps) {
        return growth == Growth.ORIGINS || growth == Growth.POOL ? Math.toIntExact(steps.getLast()) : 0;
    }

    /** How a growth's servers are started and loaded. */
    GrowthSteps steps(Growth growth) {
        return switch (growth) {
            case CONNECTIONS -> this::connections;
            case OBJECTS -> this::objects;
            case VARIANTS -> this::variants;
            case ROUTES -> this::routes;
            case FIELDS -> this::fields;
            case ORIGINS -> this::origins;
            case POOL -> this::pool;
            case PROCESSES -> this::processes;
            default -> throw new IllegalArgumentException(growth + " is not of HTTP");
        };
    }

    private WeirServer.Build roomy() {
        List<String> options = new ArrayList<>(build.options());
        options.add(ROOMY_HEAP);
        return new WeirServer.Build(build.jar(), options);
    }

    private static Statistics statistics(WeirServer weir) {
        return new Statistics(weir.port("admin"), "");
    }

    private static double value(Statistics statistics, String name) throws IOException {
        return statistics.sum(name, "");
    }

    private List<Entrant> objects(List<Long> steps) throws Exception {
        List<Entrant> entrants = new ArrayList<>();
        for (long step : steps) {
            WeirServer weir = bed.weir(roomy(), GrowthConfigs.roomy(bed.originPort()));
            GrowthScripts scripts = GrowthScripts.objects(step);
            Contender contender = weir.contender(Growth.number(step), "/o/0000000");
            fill(contender, scripts, statistics(weir), step);
            entrants.add(hits(contender, scripts));
        }
        return entrants;
    }

    /** One server: each step has a URI of its own. */
    private List<Entrant> variants(List<Long> steps) throws Exception {
        WeirServer weir = bed.weir(build, GrowthConfigs.variants(bed.originPort()));
        List<Entrant> entrants = new ArrayList<>();
        long stored = 0;
        for (long step : steps) {
            GrowthScripts scripts = GrowthScripts.variants(step);
            Contender contender = weir.contender(Growth.number(step), "/v/");
            stored += step;
            fill(contender, scripts, statistics(weir), stored);
            entrants.add(hits(contender, scripts));
        }
        return entrants;
    }

    private List<Entrant> routes(List<Long> steps) throws Exception {
        List<Entrant> entrants = new ArrayList<>();
        for (long step : steps) {
            WeirServer weir = bed.weir(build, WeirConfigs.rules(bed.originPort(), Math.toIntExact(step)));
            GrowthScripts scripts = GrowthScripts.routes(step);
            Contender contender = weir.contender(Growth.number(step), "/");
            fill(contender, scripts, statistics(weir), scripts.count());
            entrants.add(hits(contender, scripts));
        }
        return entrants;
    }

    /** One server, one stored object. */
    private List<Entrant> fields(List<Long> steps) throws Exception {
        WeirServer weir = bed.weir(build, WeirConfigs.plain(bed.originPort(), true));
        List<Entrant> entrants = new ArrayList<>();
        for (long step : steps) {
            Path script = bed.file("fields-" + step + ".lua", GrowthScripts.fields(step));
            LoadRun load = (c, s) -> bed.wrk(c, s, List.of("-s", script.toString()));
            entrants.add(new Entrant(
                    weir.contender(Growth.number(step), "/f"), Reaching.NONE, load, load, bed::originRequests));
        }
        return entrants;
    }

    /** Misses at random over all routes, each of which has an origin of its own that keeps at least one connection. */
    private List<Entrant> origins(List<Long> steps) throws Exception {
        List<Entrant> entrants = new ArrayList<>();
        for (long step : steps) {
            WeirServer weir = bed.weir(build, GrowthConfigs.origins(bed.originPort(), Math.toIntExact(step)));
            entrants.add(misses(weir, step, new Scripted(seed, GrowthScripts.origins(step)::atRandom)));
        }
        return entrants;
    }

    /** Misses, in turn over all servers of the pool. */
    private List<Entrant> pool(List<Long> steps) throws Exception {
        List<Entrant> entrants = new ArrayList<>();
        for (long step : steps) {
            WeirServer weir = bed.weir(build, GrowthConfigs.pool(bed.originPort(), Math.toIntExact(step)));
            entrants.add(misses(weir, step, (c, s) -> bed.wrk(c, s, List.of())));
        }
        return entrants;
    }

    private Entrant misses(WeirServer weir, long step, LoadRun load) {
        Statistics statistics = statistics(weir);
        return new Entrant(weir.contender(Growth.number(step), "/m/00000/o"), Reaching.ALL, load, load, () -> {
            atLeast("connections to origins", value(statistics, "weir_proxy_origin_connections"), step);
            return bed.originRequests();
        });
    }

    /** One server: the connections of a step are opened before its turn, and those of the step before it closed. */
    private List<Entrant> connections(List<Long> steps) throws Exception {
        WeirServer weir = bed.weir(build, WeirConfigs.plain(bed.originPort(), true));
        LineProcess load = LineProcess.start("the load", bed.onLoadCore(), ConnectionsCommand.class);
        connections = load;
        Statistics statistics = statistics(weir);
        List<Entrant> entrants = new ArrayList<>();
        for (long step : steps) {
            Contender plain = weir.contender(Growth.number(step), "/k");
            Contender contender = new Contender(plain.name(), plain.pid(), plain.url(), true, false, () -> {
                String answer = load.order("open " + weir.port() + " " + step);
                if (!answer.equals("open")) {
                    throw new BenchFailure(step + " connections cannot be opened: " + answer);
                }
            });
            LoadRun run = (_, s) -> undisturbed(Counts.found("the load", load.order("run " + s + " " + seed)));
            entrants.add(new Entrant(contender, Reaching.NONE, run, run, () -> {
                atLeast("open connections", value(statistics, "weir_connections_open"), step);
                return bed.originRequests();
            }));
        }
        return entrants;
    }

    /** Hits, each worker with a cache of its own; and how the system shares out connections. */
    private List<Entrant> processes(List<Long> steps) throws Exception {
        LineProcess load = LineProcess.start("the load", bed.onLoadCore(), ConnectionsCommand.class);
        connections = load;
        List<Entrant> entrants = new ArrayList<>();
        for (long step : steps) {
            WeirServer weir = bed.weir(build, GrowthConfigs.processes(bed.originPort(), Math.toIntExact(step)));
            if (step > 1) {
                for (int count : SHARED_OUT) {
                    String answer = load.order("open " + weir.port() + " " + count);
                    if (!answer.equals("open")) {
                        throw new BenchFailure(count + " connections cannot be opened: " + answer);
                    }
                    notes.accept(shares(weir, step, count));
                }
                load.order("open " + weir.port() + " 0");
            }
            LoadRun run = (c, s) -> bed.wrk(c, s, List.of());
            entrants.add(new Entrant(weir.contender(Growth.number(step), "/k"), Reaching.NONE, run, run, () -> {
                if (step > 1) {
                    atLeast("processes", value(statistics(weir), "weir_process_up"), step);
                }
                return bed.originRequests();
            }));
        }
        return entrants;
    }

    private static String shares(WeirServer weir, long processes, int connections) throws IOException {
        StringBuilder text = new StringBuilder("of " + Growth.number(connections) + " connections the processes have");
        for (int i = 1; i <= processes; i++) {
            Statistics one = new Statistics(weir.port("admin"), "?process=" + i);
            text.append(String.format(Locale.ROOT, "%s %.0f", i == 1 ? "" : ",", value(one, "weir_connections_open")));
        }
        return text.toString();
    }

    private static Counts undisturbed(Counts counts) throws BenchFailure {
        if (counts.disturbed() > 0) {
            throw new BenchFailure("of the open connections " + counts.disturbed() + " were closed");
        }
        return counts;
    }

    static void atLeast(String what, double found, long wanted) throws BenchFailure {
        if (found < wanted) {
            throw new BenchFailure("there are " + Growth.number((long) found) + " " + what + ", not "
                    + Growth.number(wanted) + ": something else would be measured");
        }
    }

    private Entrant hits(Contender contender, GrowthScripts scripts) {
        LoadRun load = new Scripted(seed, scripts::atRandom);
        return new Entrant(contender, Reaching.NONE, load, load, bed::originRequests);
    }

    /** Requests in a new order in each turn. */
    private final class Scripted implements LoadRun {
        private final LongFunction<String> script;
        private long next;

        Scripted(long seed, LongFunction<String> script) {
            this.script = script;
            this.next = seed;
        }

        @Override
        public Counts run(Contender contender, int seconds) throws Exception {
            Path file = bed.file("random.lua", script.apply(next++));
            return bed.wrk(contender, seconds, List.of("-s", file.toString()));
        }
    }

    /**
     * Requests everything once, so that it is stored.
     *
     * @param stored the number of stored objects after that
     */
    private void fill(Contender contender, GrowthScripts scripts, Statistics statistics, long stored)
            throws IOException, InterruptedException, BenchFailure {
        int empty = 0;
        for (int pass = 0; pass < PASSES && value(statistics, "weir_cache_entries") != stored; pass++) {
            for (long next = 0; next < scripts.count(); ) {
                Path file = bed.file("fill.lua", scripts.inOrder(next));
                int seconds = scripts.count() - next > MANY ? LONG_SECONDS : 1;
                Counts counts = bed.wrk(contender, seconds, List.of("-s", file.toString()));
                empty = counts.requests() == 0 ? empty + 1 : 0;
                if (counts.refused() > 0 || empty > EMPTY) {
                    throw new BenchFailure(
                            "filling: " + counts.requests() + " answers, of these " + counts.refused() + " errors");
                }
                next += counts.requests();
            }
        }
        double found = value(statistics, "weir_cache_entries");
        if (found != stored) {
            throw new BenchFailure("there are " + Growth.number((long) found) + " stored objects, not "
                    + Growth.number(stored) + ": something else would be measured");
        }
    }

    @Override
    public void close() {
        LineProcess load = connections;
        if (load != null) {
            load.close();
        }
    }
}
