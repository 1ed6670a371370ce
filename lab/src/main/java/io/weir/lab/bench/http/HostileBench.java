package io.weir.lab.bench.http;

import io.weir.base.Chance;
import io.weir.base.Clock;
import io.weir.lab.bench.figures.Comparison;
import io.weir.lab.bench.figures.Table;
import io.weir.lab.bench.figures.TargetVerdict;
import io.weir.lab.bench.peer.HostileConfigs;
import io.weir.lab.bench.peer.Peer;
import io.weir.lab.bench.peer.Targets;
import io.weir.lab.bench.process.BenchProcesses;
import io.weir.lab.bench.process.Child;
import io.weir.lab.bench.process.ProcessStat;
import io.weir.lab.bench.process.WeirServer;
import io.weir.lab.load.ProcessFacts;
import io.weir.lab.slow.SlowPorts;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Misses of fifty quick clients at a steady rate, alone and beside 2,000 slow ones, of each server in turn. Lives for
 * one run; confined to its thread.
 */
final class HostileBench {
    private static final double RATE = 1000;
    /** Factor by which the warm-up's rate is higher. */
    private static final double WARM = 4;

    private static final long LOOK_MILLIS = 500;
    private static final int LOOKS = 40;
    /** Processor use below which a server, or clients and origin, have finished the start of the slow clients. */
    private static final double CALM = 0.4;

    private final BenchOptions options;
    private final Bed bed;
    private final Map<String, String> versions;
    private final Chance chance;
    private final Clock clock;
    private final PrintStream out;
    private final double rate;

    HostileBench(
            BenchOptions options, Bed bed, Map<String, String> versions, Chance chance, Clock clock, PrintStream out) {
        this.options = options;
        this.bed = bed;
        this.versions = versions;
        this.chance = chance;
        this.clock = clock;
        this.out = out;
        this.rate = options.rate() > 0 ? options.rate() : RATE;
    }

    /** The clients, in a process for each kind. */
    private record Loads(HostileLoad quick, HostileLoad slow) {}

    /** A server under test. */
    private record Front(String name, long pid, SlowPorts ports, boolean jvm) {}

    void run() throws Exception {
        WeirServer weir = bed.weir(HostileConfigs.weir(bed.originPort(), bed.slowOriginPort(), bed.keys()));
        out.println("weir: " + weir.memory());
        int http = weir.port();
        SlowPorts own = new SlowPorts(http, http, weir.port("https"), weir.port("admin"), weir.port("messaging"));
        List<Front> fronts = new ArrayList<>(List.of(new Front("weir", weir.pid(), own, true)));
        for (Peer peer : options.peers()) {
            SlowPorts ports = SlowPorts.http(Child.freePort(), Child.freePort(), Child.freePort());
            fronts.add(new Front(peer.key(), bed.peer(peer, ports).pid(), ports, false));
        }
        try (HostileLoad quick = HostileLoad.start(bed.onLoadCore());
                HostileLoad slow = HostileLoad.start(bed.lowPriorityOnLoadCore())) {
            print(fronts, rounds(fronts, new Loads(quick, slow)));
        }
    }

    private List<HostileSeries> rounds(List<Front> fronts, Loads loads) throws Exception {
        List<HostileSeries> series = new ArrayList<>();
        out.println("warming up");
        for (Front front : fronts) {
            for (int i = 0; i < options.warmUpTurns(front.jvm()); i++) {
                loads.quick.quick(front.ports(), rate * WARM, options.seconds());
            }
            series.add(new HostileSeries(BenchProcesses.residentBytes(front.pid())));
            out.println("  " + front.name() + ": " + loads.slow.begin(front.ports()));
            calm(front, loads);
            for (int i = 0; i < options.warmUpTurns(front.jvm()); i++) {
                // the code for the slow ones is compiled later, because they send few requests
                loads.quick.quick(front.ports(), rate, options.seconds());
            }
            loads.slow.end();
            calm(front, loads);
        }
        for (int round = 0; round < options.rounds(); round++) {
            out.printf(Locale.ROOT, "round %d of %d, p99 us alone and beside:%n", round + 1, options.rounds());
            for (int i = 0; i < fronts.size(); i++) {
                turn(fronts.get(i), loads, series.get(i));
            }
        }
        return series;
    }

    private void turn(Front front, Loads loads, HostileSeries series) throws Exception {
        HostileLoad.Turn alone = loads.quick.quick(front.ports(), rate, options.seconds());
        String came = loads.slow.begin(front.ports());
        boolean calm = calm(front, loads);
        long onset = BenchProcesses.residentBytes(front.pid());
        HostileLoad.Turn beside = loads.quick.quick(front.ports(), rate, options.seconds());
        long during = Math.max(onset, BenchProcesses.residentBytes(front.pid()));
        String became = loads.slow.end();
        calm(front, loads);
        if (front.jvm()) {
            // otherwise the heap grows by each round's garbage up to its bound, regardless of live objects
            ProcessFacts.jcmd(front.pid(), "GC.run");
        }
        series.add(alone, beside, during, BenchProcesses.residentBytes(front.pid()));
        out.printf(
                Locale.ROOT,
                "  %s %.0f %.0f; resident %s MiB; %s; %s%n",
                front.name(),
                alone.p99(),
                beside.p99(),
                mebibytes(during),
                came,
                became);
        if (!calm) {
            out.println("    it did not become idle before it was measured");
        }
        for (HostileLoad.Turn turn : List.of(alone, beside)) {
            if (turn.errors() + turn.healthErrors() > 0) {
                out.println("    " + turn.errors() + " and " + turn.healthErrors() + " errors: " + turn.first());
            }
        }
    }

    /** Waits until all are nearly idle; returns false if they do not become so. */
    private boolean calm(Front front, Loads loads) throws IOException {
        List<Long> ours = new ArrayList<>(bed.originPids());
        ours.addAll(List.of(loads.quick.pid(), loads.slow.pid()));
        for (int i = 0; i < LOOKS; i++) {
            double server = micros(front.pid());
            double others = micros(ours);
            long until = clock.nanos() + TimeUnit.MILLISECONDS.toNanos(LOOK_MILLIS);
            for (long left = until - clock.nanos(); left > 0; left = until - clock.nanos()) {
                LockSupport.parkNanos(left);
            }
            double most = CALM * TimeUnit.MILLISECONDS.toMicros(LOOK_MILLIS);
            if (micros(front.pid()) - server < most && micros(ours) - others < most) {
                return true;
            }
        }
        return false;
    }

    private static double micros(List<Long> pids) throws IOException {
        double all = 0;
        for (long pid : pids) {
            all += micros(pid);
        }
        return all;
    }

    private static double micros(long pid) throws IOException {
        return ProcessStat.microsBetween(Map.of(), BenchProcesses.family(pid));
    }

    private void print(List<Front> fronts, List<HostileSeries> series) {
        Table times = new Table(
                "server",
                "version",
                "answers",
                "errors",
                "p50 us alone",
                "beside",
                "p99 us alone",
                "beside",
                "/health");
        Table memory = new Table("server", "resident MiB before", "during", "after");
        Table verdicts = new Table("beside slow clients", "figure", "target", "verdict");
        for (int i = 0; i < fronts.size(); i++) {
            Front front = fronts.get(i);
            HostileSeries of = series.get(i);
            times.row(
                    front.name(),
                    versions.getOrDefault(front.name(), "-"),
                    String.valueOf(of.answers()),
                    String.valueOf(of.errors()),
                    number(of.alone(HostileLoad.Turn::p50)),
                    number(of.beside(HostileLoad.Turn::p50)),
                    number(of.alone(HostileLoad.Turn::p99)),
                    number(of.beside(HostileLoad.Turn::p99)),
                    front.ports().admin() > 0 ? health(of) : "-");
            memory.row(front.name(), mebibytes(of.before()), mebibytes(of.most()), mebibytes(of.after()));
            judge(verdicts, front.name(), of);
        }
        out.println();
        out.printf(
                Locale.ROOT,
                "%.0f misses/s by quick clients, times from when each was due; medians of the turns%n%n",
                rate);
        out.print(times.text());
        out.println();
        out.print(memory.text());
        out.println();
        out.print(verdicts.text());
        out.println();
    }

    private void judge(Table verdicts, String name, HostileSeries of) {
        Comparison p99 = new Comparison(name + ", p99 beside / alone", of.ratio(chance), List.of(Targets.BESIDE));
        verdicts.row(p99.what(), p99.ratioText(), p99.targetText(), p99.verdictText());
        long lost = of.errors() + of.healthErrors();
        verdicts.row(
                name + ", errors",
                String.valueOf(lost),
                "0",
                TargetVerdict.exact(lost == 0, true).text());
        verdicts.row(
                name + ", memory during, later rounds / earlier",
                String.format(Locale.ROOT, "%.2f", of.growth()),
                "<= " + Targets.FLAT,
                TargetVerdict.exact(of.growth() <= Targets.FLAT, TargetVerdict.enough(of.rounds()))
                        .text());
    }

    private static String health(HostileSeries of) {
        return String.format(
                Locale.ROOT, "%d answers, %d errors, most %.0f us", of.health(), of.healthErrors(), of.healthMost());
    }

    private static String number(double micros) {
        return String.format(Locale.ROOT, "%.0f", micros);
    }

    private static String mebibytes(long bytes) {
        return String.format(Locale.ROOT, "%.0f", bytes / (double) (1 << 20));
    }
}
