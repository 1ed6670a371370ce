package io.weir.lab.bench.disk;

import io.weir.base.Chance;
import io.weir.lab.bench.figures.Comparison;
import io.weir.lab.bench.figures.Findings;
import io.weir.lab.bench.figures.PairedRatio;
import io.weir.lab.bench.figures.Table;
import io.weir.lab.bench.process.BenchProcesses;
import io.weir.lab.bench.process.LineProcess;
import io.weir.lab.bench.process.ProcessStat;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A load whose objects take ten times the memory and twice the disk: hit ratio, processor time, and bytes written to the
 * disk for each byte that was fetched. Each server gets the same requests. Lives for one run; confined to its thread.
 */
final class DiskZipf {
    private static final long MIB = 1 << 20;
    private static final long MEMORY = 64 * MIB;
    private static final long DISK = 5 * MEMORY;
    private static final int CONNECTIONS = 16;
    private static final int TURN = 20_000;
    /** Turns until the disk is full and a JVM is warm. */
    private static final int WARM_UP = 5;

    private final DiskBench.Setting setting;
    private final DiskOptions options;
    private final LineProcess load;
    private final int objects;

    DiskZipf(DiskBench.Setting setting, LineProcess load) {
        this.setting = setting;
        this.options = setting.options();
        this.load = load;
        this.objects = objects();
    }

    /** So many objects of the mix take ten times the memory. */
    static int objects() {
        int n = 1000;
        while (ObjectMix.bytes(n) < 10 * MEMORY) {
            n += 1000;
        }
        return n;
    }

    /** What the turns of a server gave. Confined to its thread. */
    private static final class Sums {
        private final double[] micros;
        private final double[] hits;
        private long fetched;
        private long written;
        private long p99;

        Sums(int rounds) {
            micros = new double[rounds];
            hits = new double[rounds];
        }
    }

    void run() throws Exception {
        List<DiskServer> servers = setting.servers(new DiskServer.Room(MEMORY, DISK, objects, false, false));
        setting.out()
                .println(objects + " objects of " + ObjectMix.bytes(objects) / MIB + " MiB, memory " + MEMORY / MIB
                        + " MiB, disk " + DISK / MIB + " MiB, turns of " + TURN + " requests");
        for (DiskServer each : servers) {
            for (int i = 0; i < WARM_UP; i++) {
                turn(each, options.seed() * 1000 + i);
            }
        }
        List<Sums> sums = servers.stream().map(_ -> new Sums(options.rounds())).toList();
        for (int round = 0; round < options.rounds(); round++) {
            StringBuilder line = new StringBuilder("round " + (round + 1) + " of " + options.rounds() + ":");
            for (int i = 0; i < servers.size(); i++) {
                measure(servers.get(i), sums.get(i), round);
                line.append(String.format(
                        Locale.ROOT,
                        "  %s %.1f us, %.1f %% hits",
                        servers.get(i).name(),
                        sums.get(i).micros[round],
                        100 * sums.get(i).hits[round]));
            }
            setting.out().println(line);
        }
        print(servers, sums);
    }

    private Found turn(DiskServer server, long seed) throws Exception {
        return Found.parse(load.order(
                        "zipf " + server.port() + " " + CONNECTIONS + " " + objects + " " + seed + " " + TURN))
                .whole(server.name());
    }

    private void measure(DiskServer server, Sums sums, int round) throws Exception {
        long written = WrittenBytes.toDisk(server.pid());
        long fetched = WrittenBytes.byCalls(setting.bed().originPid());
        long origin = setting.bed().originRequests();
        Map<Long, Long> before = BenchProcesses.family(server.pid());
        Found found = turn(server, options.seed() * 1000 + WARM_UP + round);
        Map<Long, Long> after = BenchProcesses.family(server.pid());
        sums.micros[round] = ProcessStat.microsBetween(before, after) / found.requests();
        sums.hits[round] = 1 - (setting.bed().originRequests() - origin - 1) / (double) found.requests();
        server.settle();
        sums.fetched += WrittenBytes.byCalls(setting.bed().originPid()) - fetched;
        sums.written += WrittenBytes.toDisk(server.pid()) - written;
        sums.p99 = Math.max(sums.p99, found.p99());
    }

    private void print(List<DiskServer> servers, List<Sums> sums) {
        Table table = new Table(
                "server",
                "version",
                "hit ratio",
                "CPU us/request",
                "MiB fetched",
                "written per byte fetched",
                "p99 ms");
        List<Comparison> comparisons = new ArrayList<>();
        Chance chance = Chance.seeded(options.seed());
        for (int i = 0; i < servers.size(); i++) {
            Sums each = sums.get(i);
            String name = servers.get(i).name();
            table.row(
                    name,
                    setting.versions().getOrDefault(name, "-"),
                    String.format(Locale.ROOT, "%.1f %%", 100 * PairedRatio.median(each.hits)),
                    String.format(Locale.ROOT, "%.1f", PairedRatio.median(each.micros)),
                    String.format(Locale.ROOT, "%d", each.fetched / MIB),
                    String.format(Locale.ROOT, "%.2f", each.written / (double) Math.max(1, each.fetched)),
                    String.format(Locale.ROOT, "%.1f", each.p99 / 1000.0));
            if (i > 0) {
                comparisons.add(new Comparison(
                        DiskServer.WEIR + " / " + name,
                        PairedRatio.of(sums.getFirst().micros, each.micros, chance),
                        List.of()));
            }
        }
        setting.out().println();
        setting.out().print(table.text());
        if (!comparisons.isEmpty()) {
            setting.out().println();
            setting.out().print(Findings.ratios(comparisons));
        }
        setting.out().println();
    }
}
