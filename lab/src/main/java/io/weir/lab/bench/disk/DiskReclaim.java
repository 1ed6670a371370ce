package io.weir.lab.bench.disk;

import io.weir.base.Chance;
import io.weir.lab.bench.figures.PairedRatio;
import io.weir.lab.bench.figures.Table;
import io.weir.lab.bench.process.BenchFailure;
import io.weir.lab.bench.process.BenchProcesses;
import io.weir.lab.bench.process.LineProcess;
import io.weir.lab.bench.process.ProcessStat;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Hits at a steady rate, alone and while new objects come in and the store, which is full, makes room for them: in a turn
 * half as many bytes as the disk holds. Lives for one run; confined to its thread.
 */
final class DiskReclaim {
    private static final long MIB = 1 << 20;
    private static final long MEMORY = 16 * MIB;
    private static final long DISK = 128 * MIB;

    /** More than memory holds. */
    private static final int HOT = 3000;

    private static final String HOT_SIZE = "13k";
    private static final String COLD_SIZE = "64k";
    private static final int COLD_BYTES = 64 << 10;
    private static final int HOT_RATE = 1000;
    private static final int CONNECTIONS = 16;
    private static final int COLD_CONNECTIONS = 8;

    private final DiskBench.Setting setting;
    private final DiskOptions options;
    private final LineProcess load;
    private final LineProcess beside;
    private long cold;

    DiskReclaim(DiskBench.Setting setting, LineProcess load, LineProcess beside) {
        this.setting = setting;
        this.options = setting.options();
        this.load = load;
        this.beside = beside;
    }

    /** Times and processor time of a server's turns, alone and beside. Confined to its thread. */
    private static final class Sums {
        private final double[][] p99;
        private final double[][] p999;
        private final double[][] cpu;
        private final double[] refetched;
        private long most;

        Sums(int rounds) {
            p99 = new double[2][rounds];
            p999 = new double[2][rounds];
            cpu = new double[2][rounds];
            refetched = new double[rounds];
        }
    }

    void run() throws Exception {
        List<DiskServer> servers = setting.servers(new DiskServer.Room(MEMORY, DISK, 20_000, true, false));
        Filling filling = new Filling(setting.bed(), load, setting.out());
        long perTurn = DISK / 2 / COLD_BYTES;
        for (DiskServer each : servers) {
            filling.fill(each, HOT_SIZE, HOT);
            for (int i = 0; i < 4; i++) {
                pair(each, perTurn, true);
                hot(each);
            }
        }
        List<Sums> sums = servers.stream().map(_ -> new Sums(options.rounds())).toList();
        for (int round = 0; round < options.rounds(); round++) {
            StringBuilder line = new StringBuilder("round " + (round + 1) + " of " + options.rounds() + ", p99 us:");
            for (int i = 0; i < servers.size(); i++) {
                Sums each = sums.get(i);
                hot(servers.get(i));
                measure(servers.get(i), each, round, perTurn);
                line.append(String.format(
                        Locale.ROOT,
                        "  %s %.0f and %.0f",
                        servers.get(i).name(),
                        each.p99[0][round],
                        each.p99[1][round]));
            }
            setting.out().println(line);
        }
        print(servers, sums, perTurn);
    }

    /** All hot objects once: those that were removed are stored again. */
    private void hot(DiskServer server) throws Exception {
        Found.parse(load.order("each " + server.port() + " 4 " + HOT_SIZE + " 0 " + HOT))
                .whole(server.name());
        server.settle();
    }

    private void measure(DiskServer server, Sums sums, int round, long perTurn) throws Exception {
        for (int with = 0; with < 2; with++) {
            long origin = setting.bed().originRequests();
            var before = BenchProcesses.family(server.pid());
            Found found = pair(server, perTurn, with == 1);
            var after = BenchProcesses.family(server.pid());
            sums.p99[with][round] = found.p99();
            sums.p999[with][round] = found.p999();
            sums.cpu[with][round] = ProcessStat.microsBetween(before, after);
            if (with == 1) {
                sums.most = Math.max(sums.most, found.most());
                long fetched = setting.bed().originRequests() - origin - 1;
                sums.refetched[round] = (fetched - perTurn) / (double) found.requests();
            }
        }
    }

    /** Hits for a turn, and beside them so many new objects. */
    private Found pair(DiskServer server, long perTurn, boolean with) throws Exception {
        if (with) {
            beside.send("rate " + server.port() + " " + COLD_CONNECTIONS + " " + COLD_SIZE + " " + cold + " " + perTurn
                    + " " + perTurn + " " + perTurn / (double) options.seconds());
            cold += perTurn;
        }
        Found found = Found.parse(load.order("rate " + server.port() + " " + CONNECTIONS + " " + HOT_SIZE + " 0 " + HOT
                        + " " + (long) HOT_RATE * options.seconds() + " " + HOT_RATE))
                .whole(server.name());
        if (with) {
            String line = beside.line();
            if (line == null) {
                throw new BenchFailure("the load of new objects ended");
            }
            Found.parse(line).whole(server.name());
        }
        return found;
    }

    private void print(List<DiskServer> servers, List<Sums> sums, long perTurn) {
        Table table = new Table(
                "server",
                "version",
                "p99 us alone",
                "p99 us beside",
                "beside / alone [95 % interval]",
                "p99.9 us beside",
                "most ms",
                "CPU us per new object",
                "hits that were removed");
        Chance chance = Chance.seeded(options.seed());
        for (int i = 0; i < servers.size(); i++) {
            Sums each = sums.get(i);
            String name = servers.get(i).name();
            double[] cost = new double[options.rounds()];
            Arrays.setAll(cost, r -> (each.cpu[1][r] - each.cpu[0][r]) / perTurn);
            table.row(
                    name,
                    setting.versions().getOrDefault(name, "-"),
                    String.format(Locale.ROOT, "%.0f", PairedRatio.median(each.p99[0])),
                    String.format(Locale.ROOT, "%.0f", PairedRatio.median(each.p99[1])),
                    PairedRatio.of(each.p99[1], each.p99[0], chance).text(),
                    String.format(Locale.ROOT, "%.0f", PairedRatio.median(each.p999[1])),
                    String.format(Locale.ROOT, "%.1f", each.most / 1000.0),
                    String.format(Locale.ROOT, "%.0f", PairedRatio.median(cost)),
                    String.format(Locale.ROOT, "%.1f %%", 100 * PairedRatio.median(each.refetched)));
        }
        setting.out().println();
        setting.out().print(table.text());
        setting.out().println();
        setting.out()
                .println("new objects of a turn: " + perTurn + " of 64 KiB, half of what the disk holds; hits: "
                        + HOT_RATE + " a second over " + HOT + " objects of 13 KiB");
    }
}
