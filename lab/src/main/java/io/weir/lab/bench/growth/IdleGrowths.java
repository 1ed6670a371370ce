package io.weir.lab.bench.growth;

import io.weir.base.Clock;
import io.weir.lab.bench.figures.Series;
import io.weir.lab.bench.http.Bed;
import io.weir.lab.bench.peer.GrowthConfigs;
import io.weir.lab.bench.process.BenchFailure;
import io.weir.lab.bench.process.BenchProcesses;
import io.weir.lab.bench.process.Child;
import io.weir.lab.bench.process.ProcessStat;
import io.weir.lab.bench.process.WeirServer;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The growths of the cluster, whose servers work without a load. All steps are measured at the same time, in one window a
 * round. Lives for one growth; confined to its thread.
 */
final class IdleGrowths {
    /** Shortest window: an idle server uses a hundredth of a second or less in a second. */
    private static final int LEAST_SECONDS = 10;

    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(180);
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    /** By so much the number of firings may differ from that of the schedules: a second's at each end of a window. */
    private static final double ALLOWED = 0.25;

    private final Bed bed;
    private final WeirServer.Build build;
    private final Clock clock;
    private final PrintStream out;
    private final List<Idle> idle = new ArrayList<>();

    /** A step's servers. */
    private record Idle(long step, List<WeirServer> servers) {
        long resident() throws IOException {
            long bytes = 0;
            for (WeirServer each : servers) {
                bytes += BenchProcesses.residentBytes(each.pid());
            }
            return bytes;
        }

        Map<Long, Long> times() throws IOException {
            Map<Long, Long> all = new HashMap<>();
            for (WeirServer each : servers) {
                all.putAll(BenchProcesses.family(each.pid()));
            }
            return all;
        }

        double sum(String name, String label) throws IOException {
            double sum = 0;
            for (WeirServer each : servers) {
                sum += new Statistics(each.port("admin"), "").sum(name, label);
            }
            return sum;
        }
    }

    IdleGrowths(Bed bed, WeirServer.Build build, Clock clock, PrintStream out) {
        this.bed = bed;
        this.build = build;
        this.clock = clock;
        this.out = out;
    }

    /** Starts the servers and waits until each holds what its step says. */
    void start(Growth growth, List<Long> steps) throws Exception {
        Path lib = ServiceJar.into(
                Files.createDirectory(bed.file("services", "").resolveSibling("services-of-growth")),
                System.getProperty("java.class.path", ""));
        for (long step : steps) {
            int count = Math.toIntExact(step);
            idle.add(new Idle(
                    step,
                    bed.weirs(
                            build,
                            switch (growth) {
                                case MEMBERS -> members(count);
                                case SINGLETONS -> List.of(GrowthConfigs.singletons(count, lib, ServiceJar.SINGLETON));
                                case TIMERS -> List.of(GrowthConfigs.timers(count, lib, ServiceJar.LISTENER));
                                default -> throw new IllegalArgumentException(growth + " needs a load");
                            })));
        }
        for (Idle each : idle) {
            switch (growth) {
                case MEMBERS ->
                    await("live members", each, "weir_cluster_members", "state=\"live\"", each.step * each.step);
                case SINGLETONS -> await("active singletons", each, "weir_singleton_active", "", each.step);
                default -> await("firings", each, "weir_timer_fired_total", "", 1);
            }
        }
    }

    private static List<String> members(int count) throws IOException {
        List<Integer> ports = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            ports.add(Child.freePort());
        }
        List<String> configs = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            configs.add(GrowthConfigs.member(i, ports));
        }
        return configs;
    }

    private void await(String what, Idle idle, String name, String label, long wanted) throws Exception {
        long deadline = clock.nanos() + PATIENCE;
        double found = idle.sum(name, label);
        while (found < wanted) {
            if (clock.nanos() - deadline > 0) {
                throw new BenchFailure("there are " + Growth.number((long) found) + " " + what + ", not "
                        + Growth.number(wanted) + ": something else would be measured");
            }
            pause(SECOND / 5);
            found = idle.sum(name, label);
        }
    }

    /** The windows, of which the first does not count. */
    List<Series> windows(Growth growth, int rounds, int seconds) throws Exception {
        int length = Math.max(LEAST_SECONDS, seconds);
        double[][] micros = new double[idle.size()][rounds];
        double[][] perSecond = new double[idle.size()][rounds];
        for (int round = -1; round < rounds; round++) {
            StringBuilder line = new StringBuilder(
                    round < 0 ? "warming up, " + length + " s:" : "round " + (round + 1) + " of " + rounds + ":");
            Window[] windows = window(growth, length);
            for (int i = 0; i < windows.length; i++) {
                if (round >= 0) {
                    micros[i][round] = windows[i].micros / windows[i].units;
                    perSecond[i][round] = windows[i].units / windows[i].seconds;
                }
                line.append(String.format(
                        Locale.ROOT,
                        "  %s %.1f",
                        Growth.number(idle.get(i).step),
                        windows[i].micros / windows[i].units));
            }
            out.println(line);
        }
        List<Series> series = new ArrayList<>();
        for (int i = 0; i < idle.size(); i++) {
            series.add(new Series(Growth.number(idle.get(i).step), micros[i], perSecond[i]));
        }
        return series;
    }

    /** What a step's servers did meanwhile. */
    private record Window(double micros, double units, double seconds) {}

    private Window[] window(Growth growth, int seconds) throws Exception {
        List<Double> fired = new ArrayList<>();
        for (Idle each : idle) {
            fired.add(growth == Growth.TIMERS ? each.sum("weir_timer_fired_total", "") : 0);
        }
        // timers fire at whole seconds: a window begins and ends between two
        pause(SECOND - Math.floorMod(clock.millis() - 500, 1000L) * 1_000_000);
        long start = clock.nanos();
        List<Map<Long, Long>> before = times();
        pause(start + seconds * SECOND - clock.nanos());
        List<Map<Long, Long>> after = times();
        double took = (clock.nanos() - start) / (double) SECOND;
        Window[] windows = new Window[idle.size()];
        for (int i = 0; i < windows.length; i++) {
            Idle each = idle.get(i);
            double units =
                    growth == Growth.TIMERS ? GrowthConfigs.firingsPerSecond(each.step) * took : each.step * took;
            if (growth == Growth.TIMERS) {
                fires(each, each.sum("weir_timer_fired_total", "") - fired.get(i), units);
            }
            windows[i] = new Window(ProcessStat.microsBetween(before.get(i), after.get(i)), units, took);
        }
        return windows;
    }

    private static void fires(Idle idle, double found, double wanted) throws BenchFailure {
        double around = GrowthConfigs.firingsPerSecond(idle.step) * 3;
        if (Math.abs(found - wanted) > around + ALLOWED * wanted) {
            throw new BenchFailure(String.format(
                    Locale.ROOT,
                    "%,d timers fired %.0f times, not %.0f: something else would be measured",
                    idle.step,
                    found,
                    wanted));
        }
    }

    private List<Map<Long, Long>> times() throws IOException {
        List<Map<Long, Long>> all = new ArrayList<>();
        for (Idle each : idle) {
            all.add(each.times());
        }
        return all;
    }

    /** Bytes by step. */
    Map<Long, Long> resident() throws IOException {
        Map<Long, Long> bytes = new HashMap<>();
        for (Idle each : idle) {
            bytes.put(each.step, each.resident());
        }
        return bytes;
    }

    private void pause(long nanos) {
        long until = clock.nanos() + nanos;
        for (long left = nanos; left > 0; left = until - clock.nanos()) {
            LockSupport.parkNanos(left);
        }
    }
}
