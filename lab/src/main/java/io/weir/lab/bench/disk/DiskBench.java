package io.weir.lab.bench.disk;

import io.weir.base.Clock;
import io.weir.lab.bench.http.Bed;
import io.weir.lab.bench.http.BenchRun;
import io.weir.lab.bench.peer.DiskConfigs;
import io.weir.lab.bench.peer.Peer;
import io.weir.lab.bench.process.BenchFailure;
import io.weir.lab.bench.process.LineProcess;
import io.weir.lab.bench.process.PeerProgram;
import io.weir.lab.bench.process.Tools;
import io.weir.lab.bench.process.WeirServer;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The benchmark of caches on a disk: pre-flight, servers, a scenario. Lives for one run; confined to its thread. */
public final class DiskBench {
    private final DiskOptions options;
    private final WeirServer.Build build;
    private final Clock clock;
    private final PrintStream out;

    public DiskBench(DiskOptions options, WeirServer.Build build, Clock clock, PrintStream out) {
        this.options = options;
        this.build = build;
        this.clock = clock;
        this.out = out;
    }

    /** What a scenario needs. Immutable. */
    record Setting(
            DiskOptions options, Bed bed, WeirServer.Build build, Map<String, String> versions, PrintStream out) {
        /** Starts Weir and all peers with empty caches. */
        List<DiskServer> servers(DiskServer.Room room) throws IOException, InterruptedException, BenchFailure {
            List<DiskServer> all = new ArrayList<>();
            DiskServer weir = DiskServer.start(bed, build, null, room);
            all.add(weir);
            WeirServer started = weir.weir();
            if (started != null) {
                out.println("weir " + build.version() + ": " + started.memory());
            }
            for (Peer peer : options.peers()) {
                all.add(DiskServer.start(bed, build, peer, room));
            }
            return all;
        }

        /** A process on the second processor that requests objects. */
        LineProcess load() throws IOException, BenchFailure {
            return LineProcess.start("the load of objects", bed.onLoadCore(), ObjectsCommand.class);
        }
    }

    /** Measures and prints the tables. */
    public void run() throws Exception {
        Set<PeerProgram> wanted = EnumSet.of(PeerProgram.TASKSET, PeerProgram.NGINX);
        if (options.scenario() == DiskScenario.HITS) {
            wanted.add(PeerProgram.WRK);
        }
        options.peers().forEach(p -> wanted.add(p.program()));
        Tools tools = Tools.find(wanted, String.valueOf(System.getenv("PATH")), options.install(), out);
        Map<String, String> versions = new LinkedHashMap<>();
        versions.put(DiskServer.WEIR, build.version());
        for (Peer peer : options.peers()) {
            versions.put(peer.key(), tools.version(peer.program()));
        }
        String title = "disk, scenario " + options.scenario().key() + ", " + options.rounds() + " rounds, seed "
                + options.seed() + "; servers on processor 0, load and origin on processor 1";
        new BenchRun(clock, out)
                .run(
                        title,
                        () -> new Bed(tools, build, clock, ObjectMix.FILES, DiskConfigs::origin),
                        bed -> scenario(new Setting(options, bed, build, versions, out)));
    }

    private void scenario(Setting setting) throws Exception {
        try (LineProcess load = setting.load()) {
            switch (options.scenario()) {
                case HITS -> new DiskHits(setting, load).run();
                case ZIPF -> new DiskZipf(setting, load).run();
                case START -> new DiskStart(setting, load, clock).run();
                case RECLAIM -> {
                    try (LineProcess beside = setting.load()) {
                        new DiskReclaim(setting, load, beside).run();
                    }
                }
            }
        }
    }
}
