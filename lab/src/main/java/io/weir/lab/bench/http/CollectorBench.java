package io.weir.lab.bench.http;

import io.weir.base.Chance;
import io.weir.lab.bench.cell.Reaching;
import io.weir.lab.bench.figures.Comparison;
import io.weir.lab.bench.figures.Findings;
import io.weir.lab.bench.figures.PairedRatio;
import io.weir.lab.bench.figures.Series;
import io.weir.lab.bench.peer.WeirConfigs;
import io.weir.lab.bench.process.BenchFailure;
import io.weir.lab.bench.process.Contender;
import io.weir.lab.bench.process.PauseLog;
import io.weir.lab.bench.process.WeirServer;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What the JVM's collectors cost: Weir with each collector and size of the heap, in turn. Processor time of hits and
 * misses; then times of misses at a steady rate, without and with live data on the heap, and in turns in which the whole
 * heap is collected. Lives for one run; confined to its thread.
 */
final class CollectorBench {
    /** Requests a second: a small part of what one processor can do. */
    private static final double PER_SECOND = 10_000;

    /** Turns at the steady rate before those that count. */
    private static final int WARM_UP = 3;

    /** Waiting messages, and the heap that admits so many ({@code messaging.limits.messages-in-memory}). */
    private static final List<LiveData> LIVE =
            List.of(new LiveData(0, 512), new LiveData(400_000, 512), new LiveData(3_500_000, 4096));

    private final BenchOptions options;
    private final Bed bed;
    private final WeirServer.Build build;
    private final Chance chance;
    private final PrintStream out;

    CollectorBench(BenchOptions options, Bed bed, WeirServer.Build build, Chance chance, PrintStream out) {
        this.options = options;
        this.bed = bed;
        this.build = build;
        this.chance = chance;
        this.out = out;
    }

    private record LiveData(int messages, int heapMebibytes) {}

    /** A collector with a size of the heap. */
    private enum Setting {
        SERIAL_SMALL("-XX:+UseSerialGC", 512),
        SERIAL_LARGE("-XX:+UseSerialGC", 4096),
        Z_SMALL("-XX:+UseZGC", 512),
        Z_LARGE("-XX:+UseZGC", 4096);

        private final String option;
        private final int mebibytes;

        Setting(String option, int mebibytes) {
            this.option = option;
            this.mebibytes = mebibytes;
        }

        String text() {
            return option.replace("-XX:+Use", "") + ", " + mebibytes + " MiB";
        }
    }

    void run() throws Exception {
        List<CollectedServer> servers = new ArrayList<>();
        try {
            for (Setting each : Setting.values()) {
                servers.add(start(each));
            }
            exchanges(servers);
            tails(servers);
        } finally {
            for (CollectedServer each : servers) {
                each.close();
            }
        }
    }

    private CollectedServer start(Setting setting) throws Exception {
        Path log = bed.place("pauses", "gc.log");
        WeirServer weir = bed.weir(
                build.collecting(setting.option, setting.mebibytes + "m", log),
                WeirConfigs.withMessages(bed.originPort()));
        out.println(setting.text() + ": " + weir.memory());
        return new CollectedServer(setting.text(), setting.mebibytes, weir, new PauseLog(log));
    }

    private void exchanges(List<CollectedServer> servers) throws Exception {
        Turns turns = new Turns(options, out);
        List<Series> series = new ArrayList<>();
        for (boolean hit : List.of(true, false)) {
            series.addAll(turns.run(bed.entrants(
                    servers.stream().map(s -> contender(s, hit)).toList(), hit ? Reaching.NONE : Reaching.ALL)));
        }
        List<Comparison> comparisons = new ArrayList<>();
        for (int i = 0; i < series.size(); i += servers.size()) {
            for (int large = 0; large < 2; large++) {
                Series serial = series.get(i + large);
                Series z = series.get(i + 2 + large);
                comparisons.add(new Comparison(
                        z.name() + " / " + serial.name(),
                        PairedRatio.of(z.micros(), serial.micros(), chance),
                        List.of()));
            }
        }
        out.println();
        out.print(Findings.figures(series, Map.of()));
        out.println();
        out.print(Findings.ratios(comparisons));
        out.println();
    }

    private Contender contender(CollectedServer server, boolean hit) {
        return server.weir()
                .contender(
                        server.name() + (hit ? ", hits" : ", misses"),
                        (hit ? "/hit/" : "/miss/") + options.size().key());
    }

    private void tails(List<CollectedServer> servers) throws Exception {
        double perSecond = options.rate() > 0 ? options.rate() : PER_SECOND;
        CollectorTable table = new CollectorTable();
        try (SteadyLoad load = SteadyLoad.start(bed.onLoadCore(), false)) {
            for (CollectedServer each : servers) {
                for (int i = 0; i < WARM_UP; i++) {
                    load.turn(contender(each, false), perSecond, options.seconds());
                }
            }
            int sent = 0;
            for (LiveData live : LIVE) {
                List<CollectedServer> able = servers.stream()
                        .filter(s -> s.mebibytes() >= live.heapMebibytes())
                        .toList();
                for (CollectedServer each : able) {
                    WaitingMessages.send(each.weir().port("messaging"), live.messages() - sent);
                }
                sent = live.messages();
                out.printf(
                        Locale.ROOT,
                        "misses at %.0f requests/s, %d messages wait, %d rounds%n",
                        perSecond,
                        live.messages(),
                        options.rounds());
                rounds(able, load, perSecond, live.messages(), table);
            }
        }
        out.println();
        out.println(
                "times from when each request was due, us: medians of the turns, but for most, which is the longest;"
                        + " pauses in ms; in whole the same of turns in which the whole heap is collected once");
        out.println();
        out.print(table.text());
        out.println();
    }

    private void rounds(
            List<CollectedServer> servers, SteadyLoad load, double perSecond, int messages, CollectorTable table)
            throws Exception {
        List<CollectedTurns> plain =
                servers.stream().map(_ -> new CollectedTurns()).toList();
        List<CollectedTurns> whole =
                servers.stream().map(_ -> new CollectedTurns()).toList();
        long[] live = new long[servers.size()];
        for (int i = 0; i < live.length; i++) {
            live[i] = servers.get(i).liveBytes();
        }
        for (int round = 0; round < options.rounds(); round++) {
            StringBuilder line = new StringBuilder("round " + (round + 1) + " of " + options.rounds() + ", p99.9 us:");
            for (int i = 0; i < servers.size(); i++) {
                SteadyLoad.Tail tail = turn(servers.get(i), load, perSecond, plain.get(i));
                line.append(
                        String.format(Locale.ROOT, "  %s %.0f", servers.get(i).name(), tail.p999()));
                Thread collecting = servers.get(i).collectSoon(options.seconds());
                turn(servers.get(i), load, perSecond, whole.get(i));
                collecting.join();
            }
            out.println(line);
        }
        for (int i = 0; i < servers.size(); i++) {
            table.row(
                    servers.get(i).name(),
                    messages,
                    live[i],
                    servers.get(i).residentBytes(),
                    plain.get(i),
                    whole.get(i));
        }
    }

    private SteadyLoad.Tail turn(CollectedServer server, SteadyLoad load, double perSecond, CollectedTurns into)
            throws Exception {
        var _ = server.log().since();
        SteadyLoad.Tail tail = load.turn(contender(server, false), perSecond, options.seconds());
        if (tail.unanswered() > 0) {
            throw new BenchFailure(server.name() + ": " + tail.unanswered() + " requests without an answer");
        }
        into.add(tail, server.log().since());
        return tail;
    }
}
