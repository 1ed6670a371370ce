package io.weir.lab.bench.http;

import io.weir.base.Chance;
import io.weir.lab.bench.figures.PairedRatio;
import io.weir.lab.bench.figures.Table;
import io.weir.lab.bench.figures.TargetVerdict;
import io.weir.lab.bench.peer.Peer;
import io.weir.lab.bench.peer.Targets;
import io.weir.lab.bench.peer.WeirConfigs;
import io.weir.lab.bench.process.BenchProcesses;
import io.weir.lab.bench.process.Child;
import io.weir.lab.bench.process.Contender;
import io.weir.lab.bench.process.WeirServer;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Memory of idle keep-alive connections: a fresh server in each round, warmed up, then 15,000 connections that made one
 * request each. Lives for one run; confined to its thread.
 */
final class IdleBench {
    private static final int CONNECTIONS = 15_000;
    private static final String PATH = "/o";
    private final BenchOptions options;
    private final Bed bed;
    private final Map<String, String> versions;
    private final Chance chance;
    private final PrintStream out;

    IdleBench(BenchOptions options, Bed bed, Map<String, String> versions, Chance chance, PrintStream out) {
        this.options = options;
        this.bed = bed;
        this.versions = versions;
        this.chance = chance;
        this.out = out;
    }

    void run() throws Exception {
        double[] resident = new double[options.rounds()];
        double[] heap = new double[options.rounds()];
        double[][] peers = new double[options.peers().size()][options.rounds()];
        for (int round = 0; round < options.rounds(); round++) {
            weir(round, resident, heap);
            for (int i = 0; i < peers.length; i++) {
                peers[i][round] = peer(options.peers().get(i));
            }
            out.printf(
                    Locale.ROOT,
                    "round %d of %d: weir %.0f bytes a connection, of these on the heap %.0f%n",
                    round + 1,
                    options.rounds(),
                    resident[round],
                    heap[round]);
        }
        print(resident, heap, peers);
    }

    private void weir(int round, double[] resident, double[] heap) throws Exception {
        try (WeirServer weir = bed.weir(WeirConfigs.plain(bed.originPort(), true))) {
            if (round == 0) {
                out.println("weir: " + weir.memory());
            }
            bed.load(weir.contender("weir", PATH), options.warmUpTurns(true) * options.seconds());
            long heapBefore = weir.usedHeap();
            long before = BenchProcesses.residentBytes(weir.pid());
            try (IdleConnections idle = IdleConnections.open("weir", weir.port(), CONNECTIONS, PATH)) {
                heap[round] = (double) (weir.usedHeap() - heapBefore) / idle.count();
                resident[round] = (double) (BenchProcesses.residentBytes(weir.pid()) - before) / idle.count();
            }
        }
    }

    private double peer(Peer peer) throws Exception {
        try (Child child = bed.peer(peer, true, CONNECTIONS, false)) {
            bed.load(
                    Contender.of(peer.key(), child.pid(), child.port(), PATH, false),
                    options.warmUpTurns(false) * options.seconds());
            long before = BenchProcesses.residentBytes(child.pid());
            try (IdleConnections idle = IdleConnections.open(peer.key(), child.port(), CONNECTIONS, PATH)) {
                return (double) (BenchProcesses.residentBytes(child.pid()) - before) / idle.count();
            }
        }
    }

    private void print(double[] resident, double[] heap, double[][] peers) {
        Table table = new Table("server", "version", "bytes/connection [95 % interval]", "target", "verdict");
        PairedRatio all = PairedRatio.ofMedian(resident, chance);
        table.row(
                "weir, resident",
                versions.getOrDefault("weir", "-"),
                bytes(all),
                "<= " + (int) Targets.IDLE_BYTES,
                TargetVerdict.of(all, Targets.IDLE_BYTES).text());
        table.row("weir, heap", "-", bytes(PairedRatio.ofMedian(heap, chance)), "-", "-");
        List<Peer> who = options.peers();
        for (int i = 0; i < who.size(); i++) {
            String name = who.get(i).key();
            table.row(
                    name + ", resident",
                    versions.getOrDefault(name, "-"),
                    bytes(PairedRatio.ofMedian(peers[i], chance)),
                    "-",
                    "-");
        }
        out.println();
        out.println(CONNECTIONS + " idle connections that made one request each");
        out.println();
        out.print(table.text());
        out.println();
    }

    private static String bytes(PairedRatio median) {
        return String.format(Locale.ROOT, "%.0f [%.0f, %.0f]", median.median(), median.low(), median.high());
    }
}
