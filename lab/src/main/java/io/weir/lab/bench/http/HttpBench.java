package io.weir.lab.bench.http;

import io.weir.base.Chance;
import io.weir.base.Clock;
import io.weir.lab.bench.cell.Reaching;
import io.weir.lab.bench.figures.Comparison;
import io.weir.lab.bench.figures.Findings;
import io.weir.lab.bench.figures.PairedRatio;
import io.weir.lab.bench.figures.Series;
import io.weir.lab.bench.peer.HttpScenario;
import io.weir.lab.bench.peer.Peer;
import io.weir.lab.bench.peer.RuleCase;
import io.weir.lab.bench.peer.Targets;
import io.weir.lab.bench.peer.WeirConfigs;
import io.weir.lab.bench.process.BenchFailure;
import io.weir.lab.bench.process.Child;
import io.weir.lab.bench.process.Contender;
import io.weir.lab.bench.process.PeerProgram;
import io.weir.lab.bench.process.Tools;
import io.weir.lab.bench.process.WeirServer;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The benchmark of HTTP: pre-flight, servers, turns, findings. Lives for one run; confined to its thread. */
public final class HttpBench {
    private static final String WEIR = "weir";

    /** The other build of {@code --against}. */
    private static final String OTHER = "weir, other build";

    private static final String PATH = "/o";
    private static final int CONNECTIONS = 64;
    private static final int FEW = 10;
    private static final int MANY = 10_000;
    private final BenchOptions options;
    private final WeirServer.Build build;
    private final WeirServer.@Nullable Build other;
    private final Clock clock;
    private final PrintStream out;
    private final Chance chance;
    private final Map<String, String> versions = new LinkedHashMap<>();

    /**
     * Compares a build of Weir with other servers.
     *
     * @throws BenchFailure if the other build of the options does not exist
     */
    public HttpBench(BenchOptions options, WeirServer.Build build, Clock clock, PrintStream out)
            throws IOException, BenchFailure {
        this.options = options;
        this.build = options.against() == null ? build : build.withoutCache();
        this.other = options.against() == null ? null : this.build.of(options.against());
        this.clock = clock;
        this.out = out;
        this.chance = Chance.seeded(options.seed());
    }

    public void run() throws Exception {
        Set<PeerProgram> wanted = EnumSet.of(PeerProgram.TASKSET);
        if (options.scenario().wrk()) {
            wanted.addAll(
                    EnumSet.of(options.scenario().http2() ? PeerProgram.H2LOAD : PeerProgram.WRK, PeerProgram.NGINX));
        }
        peers().forEach(p -> wanted.add(p.program()));
        if (options.scenario().secure()) {
            wanted.add(PeerProgram.OPENSSL);
        }
        Tools tools = Tools.find(wanted, String.valueOf(System.getenv("PATH")), options.install(), out);
        String title = "scenario " + options.scenario().key() + ", answers of "
                + options.size().key() + ", "
                + options.rounds() + " rounds of " + options.seconds() + " s, seed " + options.seed()
                + "; servers on processor 0, " + load()
                + " and the origin on processor 1";
        versions(tools);
        new BenchRun(clock, out).run(title, () -> bed(tools), this::scenario);
    }

    private String load() {
        if (!options.scenario().wrk()) {
            return "the clients";
        }
        return options.scenario().http2() ? "h2load " + String.join(" ", H2loadTurns.MANY) : "wrk -t1 -c32";
    }

    private Bed bed(Tools tools) throws IOException, InterruptedException, BenchFailure {
        return options.scenario() == HttpScenario.COLLECTORS
                ? new Bed(tools, build, clock)
                : new Bed(tools, build, options.size(), options.scenario(), clock);
    }

    private void versions(Tools tools) throws IOException, InterruptedException {
        versions.put(WEIR, build.version());
        if (other != null) {
            versions.put(OTHER, other.version());
        }
        for (Peer peer : peers()) {
            versions.put(peer.key(), tools.version(peer.program()));
        }
    }

    private List<Peer> peers() {
        return options.scenario().peers().isEmpty() ? List.of() : options.peers();
    }

    private void scenario(Bed bed) throws Exception {
        switch (options.scenario()) {
            case HITS, MISSES, TLS, HANDSHAKES -> exchanges(bed);
            case CONNECTIONS -> connections(bed);
            case LATENCY, LATENCY_MISSES, LATENCY_H2, LATENCY_H2_MISSES ->
                new LatencyBench(options, bed, versions, chance, clock, out).run();
            case COLLECTORS -> new CollectorBench(options, bed, build, chance, out).run();
            case ROUTES -> routes(bed);
            case STATISTICS -> statistics(bed);
            case BUCKETS, BUCKETS_MISSES -> buckets(bed);
            case MODES -> modes(bed);
            case IDLE -> new IdleBench(options, bed, versions, chance, out).run();
            case HOSTILE -> new HostileBench(options, bed, versions, chance, clock, out).run();
        }
    }

    private void describe(WeirServer weir) throws IOException, InterruptedException {
        out.println("weir " + build.version() + ": " + weir.memory());
    }

    private void exchanges(Bed bed) throws Exception {
        HttpScenario scenario = options.scenario();
        String config = scenario.secure()
                ? WeirConfigs.secure(bed.originPort(), true, bed.keys())
                : WeirConfigs.plain(bed.originPort(), scenario.caches());
        WeirServer weir = bed.weir(config);
        describe(weir);
        List<Contender> contenders = new ArrayList<>(List.of(asked(weir.contender(WEIR, PATH))));
        if (other != null) {
            contenders.add(asked(bed.weir(other, config).contender(OTHER, PATH)));
        }
        for (Peer peer : options.peers()) {
            Child child = bed.peer(peer, scenario.caches(), CONNECTIONS, scenario.secure());
            contenders.add(asked(Contender.of(peer.key(), child.pid(), child.port(), PATH, false)));
        }
        List<Series> series =
                new Turns(options, out).run(bed.entrants(contenders, scenario.caches() ? Reaching.NONE : Reaching.ALL));
        List<Comparison> comparisons = new ArrayList<>();
        if (other != null) {
            comparisons.add(compare(series.getFirst(), series.get(1), List.of(Targets.NO_DEARER)));
        }
        int first = series.size() - options.peers().size();
        for (int i = 0; i < options.peers().size(); i++) {
            Peer peer = options.peers().get(i);
            comparisons.add(compare(
                    series.getFirst(),
                    series.get(first + i),
                    Targets.against(peer, options.scenario(), options.size())));
        }
        print(series, comparisons);
    }

    private Contender asked(Contender plain) {
        return switch (options.scenario()) {
            case TLS -> plain.secure();
            case HANDSHAKES -> plain.secure().closing(plain.name());
            default -> plain;
        };
    }

    /** Each server with and without kept connections: the Sun proxy's 75 requests a second against 200 to 300. */
    private void connections(Bed bed) throws Exception {
        WeirServer weir = bed.weir(WeirConfigs.plain(bed.originPort(), true));
        describe(weir);
        List<Contender> plain = new ArrayList<>(List.of(weir.contender(WEIR, PATH)));
        for (Peer peer : options.peers()) {
            Child child = bed.peer(peer, true, CONNECTIONS, false);
            plain.add(Contender.of(peer.key(), child.pid(), child.port(), PATH, false));
        }
        List<Contender> contenders = new ArrayList<>();
        for (Contender each : plain) {
            contenders.add(each);
            contenders.add(each.closing(each.name() + ", a connection each"));
        }
        List<Series> series = new Turns(options, out).run(bed.entrants(contenders, Reaching.NONE));
        List<Comparison> comparisons = new ArrayList<>();
        for (int i = 0; i < series.size(); i += 2) {
            comparisons.add(compare(series.get(i + 1), series.get(i), List.of()));
            if (i > 0) {
                comparisons.add(compare(series.get(1), series.get(i + 1), List.of()));
            }
        }
        print(series, comparisons);
    }

    private void routes(Bed bed) throws Exception {
        WeirServer few = bed.weir(WeirConfigs.rules(bed.originPort(), FEW));
        WeirServer many = bed.weir(WeirConfigs.rules(bed.originPort(), MANY));
        describe(few);
        List<Contender> contenders = new ArrayList<>();
        for (RuleCase each : RuleCase.values()) {
            contenders.add(few.contender(each.key() + ", " + FEW, each.path(FEW) + PATH));
            contenders.add(many.contender(each.key() + ", " + MANY, each.path(MANY) + PATH));
        }
        List<Series> series = new Turns(options, out).run(bed.entrants(contenders, Reaching.NONE));
        List<Comparison> comparisons = new ArrayList<>();
        for (int i = 0; i < series.size(); i += 2) {
            comparisons.add(compare(series.get(i + 1), series.get(i), List.of(Targets.ROUTES)));
        }
        print(series, comparisons);
    }

    /** One server whose knob is changed between turns, because two JVMs differ by more than a percent. */
    private void statistics(Bed bed) throws Exception {
        WeirServer weir = bed.weir(WeirConfigs.plain(bed.originPort(), true));
        describe(weir);
        List<Contender> contenders = new ArrayList<>();
        for (String value : List.of("on", "off")) {
            Contender plain = weir.contender("statistics " + value, PATH);
            contenders.add(new Contender(
                    plain.name(), plain.pid(), plain.url(), true, false, () -> weir.set("server.statistics", value)));
        }
        List<Series> series = new Turns(options, out).run(bed.entrants(contenders, Reaching.NONE));
        print(series, List.of(compare(series.getFirst(), series.getLast(), List.of(Targets.STATISTICS))));
    }

    /** One server again, whose service has a performance bucket. */
    private void buckets(Bed bed) throws Exception {
        boolean caches = options.scenario().caches();
        Path objects = bed.file("buckets.conf", WeirConfigs.bucketed(bed.originPort()));
        WeirServer weir = bed.weir(WeirConfigs.objects(objects, caches));
        describe(weir);
        List<Contender> contenders = new ArrayList<>();
        for (String value : List.of("on", "off")) {
            Contender plain = weir.contender("bucket " + value, PATH);
            contenders.add(new Contender(
                    plain.name(), plain.pid(), plain.url(), true, false, () -> weir.set("proxy.profiling", value)));
        }
        List<Series> series =
                new Turns(options, out).run(bed.entrants(contenders, caches ? Reaching.NONE : Reaching.ALL));
        print(series, List.of(compare(series.getFirst(), series.getLast(), List.of(Targets.BUCKETS))));
        if (weir.figures().value("weir_proxy_bucket_invocations_total", Map.of("bucket", WeirConfigs.BUCKET)) < 1) {
            throw new BenchFailure("no call was counted in the bucket: nothing was measured");
        }
    }

    /** One server again. The cost of a mode is measured, without a target. */
    private void modes(Bed bed) throws Exception {
        WeirServer weir = bed.weir(WeirConfigs.plain(bed.originPort(), false));
        describe(weir);
        List<Contender> contenders = new ArrayList<>();
        for (String value : List.of("high-concurrency", "low-latency")) {
            Contender plain = weir.contender(value, PATH);
            contenders.add(new Contender(
                    plain.name(), plain.pid(), plain.url(), true, false, () -> weir.set("kernel.mode", value)));
        }
        List<Series> series = new Turns(options, out).run(bed.entrants(contenders, Reaching.ALL));
        print(series, List.of(compare(series.getFirst(), series.getLast(), List.of())));
    }

    private Comparison compare(Series one, Series other, List<Double> targets) {
        return new Comparison(
                one.name() + " / " + other.name(), PairedRatio.of(one.micros(), other.micros(), chance), targets);
    }

    private void print(List<Series> series, List<Comparison> comparisons) {
        out.println();
        out.print(Findings.figures(series, versions));
        if (!comparisons.isEmpty()) {
            out.println();
            out.print(Findings.ratios(comparisons));
        }
        out.println();
    }
}
