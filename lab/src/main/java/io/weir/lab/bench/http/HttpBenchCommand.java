package io.weir.lab.bench.http;

import io.weir.lab.bench.cell.Cell;
import io.weir.lab.bench.cell.CellChoice;
import io.weir.lab.bench.cell.CellNames;
import io.weir.lab.bench.peer.HttpScenario;
import io.weir.lab.bench.peer.Peer;
import io.weir.lab.bench.peer.PeerChoice;
import io.weir.lab.bench.peer.Size;
import io.weir.lab.verb.Taker;
import io.weir.lab.verb.VerbLine;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code weir bench http}: its options. Lives for one call. */
@Command(
        name = "http",
        description = "Compares what a request costs Weir and other servers, in turn in one run.",
        sortOptions = false,
        footerHeading = "%nExamples:%n",
        footer = {
            "  ./weir bench http --scenario misses --size 13k --peers nginx,haproxy",
            "  ./weir bench http --matrix --cells h1-*,*-websocket-1k --rounds 6"
        })
public final class HttpBenchCommand implements Callable<Integer> {
    private static final int ROUNDS = 10;
    private static final int FEW_ROUNDS = 6;
    private static final int SECONDS = 3;
    private static final int HOSTILE_SECONDS = 10;
    private static final String PAGE = "lab/target/bench/matrix.html";

    /** Sizes of a scenario. */
    private static final Set<Size> SIZES = EnumSet.of(Size.ONE, Size.THIRTEEN);

    private final Taker<BenchOptions> taker;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--scenario",
            paramLabel = "SCENARIO",
            converter = Scenarios.class,
            completionCandidates = Scenarios.class,
            description = "what is measured: ${COMPLETION-CANDIDATES} (default: hits)")
    private @Nullable HttpScenario chosenScenario;

    @Option(
            names = "--size",
            paramLabel = "SIZE",
            converter = Sizes.class,
            completionCandidates = Sizes.class,
            description = "bytes of an answer's body: ${COMPLETION-CANDIDATES} (default: 1k)")
    private @Nullable Size size;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            description = "turns of each server, 1 to 1000 (default: " + ROUNDS + "; of idle, collectors and hostile "
                    + FEW_ROUNDS + ")")
    private @Nullable Integer rounds;

    @Option(
            names = "--seconds",
            paramLabel = "S",
            description = "length of a turn in seconds, 1 to 600 (default: " + SECONDS + "; of hostile "
                    + HOSTILE_SECONDS + ")")
    private @Nullable Integer seconds;

    @Option(
            names = "--peers",
            paramLabel = "PEER,...",
            converter = PeerChoice.Reader.class,
            completionCandidates = PeerChoice.Reader.class,
            description =
                    "servers to compare with, of ${COMPLETION-CANDIDATES}, or none (default: all that the scenario"
                            + " can take)")
    private @Nullable PeerChoice peers;

    @Option(
            names = "--rate",
            paramLabel = "R",
            description =
                    "requests a second of the scenarios latency... (default: half of the best peer's peak), collectors"
                            + " (default: 10000) and hostile (default: 1000); 1 to 1000000")
    private @Nullable Long rate;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "of the bootstrap, a whole number (default: ${DEFAULT-VALUE})")
    private long seed;

    @Option(
            names = {"--install", "--install-peers"},
            description = "installs missing programs with apt-get (default: installs nothing)")
    private boolean install;

    @Option(
            names = "--against",
            paramLabel = "FOLDER",
            description =
                    "another build of Weir, which is measured in turn with this one: a checkout that was built, or a"
                            + " distribution; of hits, misses, tls, handshakes and of the matrix")
    private @Nullable Path against;

    @Option(
            names = "--matrix",
            description =
                    "measures all cells of protocol, work and size instead of a scenario, and draws a page of them")
    private boolean matrix;

    @Option(
            names = "--cells",
            paramLabel = "CELL,...",
            description =
                    "cells of the matrix by name, where * stands for anything: h2-hit-1k, h1-*, *-miss* (default: all)")
    private @Nullable String cells;

    @Option(
            names = "--html",
            paramLabel = "FILE",
            description = "the page of the matrix (default: lab/target/bench/matrix.html)")
    private @Nullable Path html;

    public HttpBenchCommand(Taker<BenchOptions> taker) {
        this.taker = taker;
    }

    @Override
    public Integer call() throws Exception {
        taker.take(options());
        return 0;
    }

    private BenchOptions options() {
        VerbLine.range(spec, "--rounds", rounds, 1, 1000);
        VerbLine.range(spec, "--seconds", seconds, 1, 600);
        VerbLine.range(spec, "--rate", rate, 1, 1_000_000);
        CellChoice choice = cells();
        HttpScenario scenario = chosenScenario != null ? chosenScenario : HttpScenario.HITS;
        if (rate != null && (matrix || !scenario.steady())) {
            throw wrong("--rate is for the scenarios " + steady());
        }
        if (against != null && !matrix && !scenario.exchanges()) {
            throw wrong("--against is for the scenarios hits, misses, tls and handshakes, and for --matrix");
        }
        boolean hostile = scenario == HttpScenario.HOSTILE;
        boolean few = hostile || scenario == HttpScenario.IDLE || scenario == HttpScenario.COLLECTORS;
        return new BenchOptions(
                rounds != null ? rounds : few ? FEW_ROUNDS : ROUNDS,
                seconds != null ? seconds : hostile ? HOSTILE_SECONDS : SECONDS,
                size != null ? size : Size.ONE,
                scenario,
                List.copyOf(choice != null ? taking(choice) : taking(scenario)),
                rate != null ? rate : 0,
                install,
                seed,
                against,
                choice);
    }

    /** The scenarios with a steady rate. */
    private static String steady() {
        return Arrays.stream(HttpScenario.values())
                .filter(HttpScenario::steady)
                .map(HttpScenario::key)
                .collect(Collectors.joining(", "));
    }

    private @Nullable CellChoice cells() {
        if (!matrix) {
            if (cells != null || html != null) {
                throw wrong((cells != null ? "--cells" : "--html") + " is for --matrix");
            }
            return null;
        }
        if (chosenScenario != null || size != null) {
            throw wrong("--matrix measures every kind and size: it excludes "
                    + (chosenScenario != null ? "--scenario" : "--size") + "; choose a part of it with --cells");
        }
        Path page = html != null
                ? html
                : Path.of(System.getProperty("weir.home", ".")).resolve(PAGE);
        if (Files.isDirectory(page)) {
            throw wrong("--html takes a file, and " + page + " is a folder");
        }
        try {
            return new CellChoice(cells == null ? Cell.all() : CellNames.select(List.of(cells.split(",", -1))), page);
        } catch (IllegalArgumentException e) {
            throw wrong("--cells: " + e.getMessage());
        }
    }

    private ParameterException wrong(String message) {
        return new ParameterException(spec.commandLine(), message);
    }

    private Set<Peer> taking(CellChoice choice) {
        Set<Peer> possible = EnumSet.noneOf(Peer.class);
        choice.cells().forEach(c -> possible.addAll(c.peers()));
        return PeerChoice.of(peers, possible, "these cells take", spec);
    }

    private Set<Peer> taking(HttpScenario scenario) {
        // one without peers lets any be named
        Set<Peer> possible = peers != null && scenario.peers().isEmpty() ? peers.all() : scenario.peers();
        return PeerChoice.of(peers, possible, "scenario " + scenario.key() + " takes", spec);
    }

    private static final class Scenarios implements ITypeConverter<HttpScenario>, Iterable<String> {
        @Override
        public HttpScenario convert(String name) {
            return VerbLine.named(name, EnumSet.allOf(HttpScenario.class), HttpScenario::key);
        }

        @Override
        public Iterator<String> iterator() {
            return Arrays.stream(HttpScenario.values()).map(HttpScenario::key).iterator();
        }
    }

    private static final class Sizes implements ITypeConverter<Size>, Iterable<String> {
        @Override
        public Size convert(String name) {
            return VerbLine.named(name, SIZES, Size::key);
        }

        @Override
        public Iterator<String> iterator() {
            return SIZES.stream().map(Size::key).iterator();
        }
    }
}
