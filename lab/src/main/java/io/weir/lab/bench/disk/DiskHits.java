package io.weir.lab.bench.disk;

import io.weir.base.Chance;
import io.weir.lab.bench.cell.Reaching;
import io.weir.lab.bench.figures.Comparison;
import io.weir.lab.bench.figures.Findings;
import io.weir.lab.bench.figures.PairedRatio;
import io.weir.lab.bench.figures.Series;
import io.weir.lab.bench.http.BenchOptions;
import io.weir.lab.bench.http.Counts;
import io.weir.lab.bench.http.Entrant;
import io.weir.lab.bench.http.LoadRun;
import io.weir.lab.bench.http.Turns;
import io.weir.lab.bench.peer.HttpScenario;
import io.weir.lab.bench.peer.Peer;
import io.weir.lab.bench.peer.Size;
import io.weir.lab.bench.process.BenchFailure;
import io.weir.lab.bench.process.Contender;
import io.weir.lab.bench.process.LineProcess;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Hits of objects at random, sixteen times as many as memory holds where a server has a cache in memory: what is measured
 * is the way from the disk, here from the page cache. Lives for one run; confined to its thread.
 */
final class DiskHits {
    private static final long MIB = 1 << 20;

    /** Of Weir's answers, from the disk. */
    private static final double LEAST_FROM_DISK = 0.85;

    private final DiskBench.Setting setting;
    private final DiskOptions options;
    private final LineProcess load;
    private long seed;
    private long weirRequests;

    DiskHits(DiskBench.Setting setting, LineProcess load) {
        this.setting = setting;
        this.options = setting.options();
        this.load = load;
        this.seed = options.seed();
    }

    /** The servers' room, of which memory takes a sixteenth of the objects. */
    private DiskServer.Room room() {
        boolean large = options.size() == Size.MEGA;
        // 32 answers of a megabyte may be on the way at once
        return large
                ? new DiskServer.Room(64 * MIB, 2048 * MIB, 1024, true, false)
                : new DiskServer.Room(16 * MIB, 1024 * MIB, 20_000, true, false);
    }

    void run() throws Exception {
        DiskServer.Room room = room();
        List<DiskServer> servers = setting.servers(room);
        Filling filling = new Filling(setting.bed(), load, setting.out());
        List<Entrant> entrants = new ArrayList<>();
        for (DiskServer each : servers) {
            filling.fill(each, options.size().key(), room.objects());
            entrants.add(entrant(each, room.objects()));
        }
        double before = servers.getFirst().figure("weir_cache_hits_from_disk_total");
        List<Series> series = new Turns(turns(), setting.out()).run(entrants);
        double fromDisk = (servers.getFirst().figure("weir_cache_hits_from_disk_total") - before) / weirRequests;
        Chance chance = Chance.seeded(options.seed());
        List<Comparison> comparisons = new ArrayList<>();
        for (int i = 1; i < series.size(); i++) {
            comparisons.add(new Comparison(
                    DiskServer.WEIR + " / " + series.get(i).name(),
                    PairedRatio.of(series.getFirst().micros(), series.get(i).micros(), chance),
                    servers.get(i).peer() == Peer.NGINX ? List.of(1.0) : List.of()));
        }
        setting.out().println();
        setting.out().print(Findings.figures(series, setting.versions()));
        setting.out().println();
        setting.out().print(Findings.ratios(comparisons));
        setting.out().println();
        setting.out()
                .println(String.format(
                        Locale.ROOT,
                        "of Weir's answers %.1f %% came from the disk, the others from memory",
                        100 * fromDisk));
        if (fromDisk < LEAST_FROM_DISK) {
            throw new BenchFailure("too few: something else was measured");
        }
    }

    private BenchOptions turns() {
        return new BenchOptions(
                options.rounds(),
                options.seconds(),
                options.size(),
                HttpScenario.HITS,
                List.of(),
                0,
                options.install(),
                options.seed(),
                null,
                null);
    }

    private Entrant entrant(DiskServer server, long objects) {
        Contender contender = Contender.of(
                server.name(),
                server.pid(),
                server.port(),
                ObjectMix.path(options.size().key(), 0),
                server.isWeir());
        LoadRun run = (c, seconds) -> {
            Path script = setting.bed().file("random.lua", script(options.size().key(), objects, seed++));
            Counts counts = setting.bed().wrk(c, seconds, List.of("-s", script.toString()));
            weirRequests += server.isWeir() ? counts.requests() : 0;
            return counts;
        };
        return new Entrant(contender, Reaching.NONE, run, run, setting.bed()::originRequests);
    }

    /** wrk's: objects at random, each as often. */
    static String script(String size, long objects, long seed) {
        return "math.randomseed(" + seed + ")\nlocal random = math.random\nrequest = function()\n"
                + "  return string.format(\"GET /" + size
                + "/%08d HTTP/1.1\\r\\nHost: bench.test\\r\\n\\r\\n\", random(0, "
                + (objects - 1) + "))\nend\n";
    }
}
