package io.weir.lab.bench.disk;

import io.weir.lab.bench.peer.PeerChoice;
import io.weir.lab.bench.peer.Size;
import io.weir.lab.verb.Taker;
import io.weir.lab.verb.VerbLine;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code weir bench disk}: its options. Lives for one call. */
@Command(
        name = "disk",
        description = "Compares the disk caches of Weir and other servers, in turn in one run.",
        sortOptions = false,
        footerHeading = "%nExamples:%n",
        footer = {
            "  ./weir bench disk --scenario hits --size 1m --peers nginx",
            "  ./weir bench disk --scenario start --objects 1000000"
        })
public final class DiskCommand implements Callable<Integer> {
    private static final int ROUNDS = 6;
    private static final int RECLAIM_SECONDS = 10;
    private static final int SECONDS = 3;

    private static final Set<Size> SIZES = EnumSet.of(Size.THIRTEEN, Size.MEGA);

    private final Taker<DiskOptions> taker;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--scenario",
            paramLabel = "SCENARIO",
            converter = Scenarios.class,
            completionCandidates = Scenarios.class,
            description = "what is measured: ${COMPLETION-CANDIDATES} (default: hits)")
    private @Nullable DiskScenario chosen;

    @Option(
            names = "--size",
            paramLabel = "SIZE",
            converter = Sizes.class,
            completionCandidates = Sizes.class,
            description = "bytes of an object of the scenario hits: ${COMPLETION-CANDIDATES} (default: 13k)")
    private @Nullable Size size;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "" + ROUNDS,
            description = "turns of each server, 1 to 1000; fewer than 6 give no verdict (default: ${DEFAULT-VALUE})")
    private int rounds;

    @Option(
            names = "--seconds",
            paramLabel = "S",
            description = "length of a turn of the scenarios hits (default: " + SECONDS + ") and reclaim (default: "
                    + RECLAIM_SECONDS + ") in seconds, 1 to 600")
    private @Nullable Integer seconds;

    @Option(
            names = "--objects",
            paramLabel = "N",
            description = "stored objects of the scenario start, 1000 to 10000000 (default: 100000)")
    private @Nullable Integer objects;

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
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "of the random orders and of the bootstrap, a whole number (default: ${DEFAULT-VALUE})")
    private long seed;

    @Option(names = "--install", description = "installs missing programs with apt-get (default: installs nothing)")
    private boolean install;

    public DiskCommand(Taker<DiskOptions> taker) {
        this.taker = taker;
    }

    @Override
    public Integer call() throws Exception {
        taker.take(options());
        return 0;
    }

    private DiskOptions options() {
        DiskScenario scenario = chosen != null ? chosen : DiskScenario.HITS;
        VerbLine.range(spec, "--rounds", rounds, 1, 1000);
        VerbLine.range(spec, "--seconds", seconds, 1, 600);
        VerbLine.range(spec, "--objects", objects, 1000, 10_000_000);
        boolean timed = scenario == DiskScenario.HITS || scenario == DiskScenario.RECLAIM;
        if (seconds != null && !timed) {
            throw wrong("--seconds is for the scenarios hits and reclaim");
        }
        if (size != null && scenario != DiskScenario.HITS) {
            throw wrong("--size is for the scenario hits");
        }
        if (objects != null && scenario != DiskScenario.START) {
            throw wrong("--objects is for the scenario start");
        }
        return new DiskOptions(
                scenario,
                size != null ? size : Size.THIRTEEN,
                List.copyOf(PeerChoice.of(peers, scenario.peers(), "scenario " + scenario.key() + " takes", spec)),
                rounds,
                seconds != null ? seconds : scenario == DiskScenario.RECLAIM ? RECLAIM_SECONDS : SECONDS,
                objects != null ? objects : 100_000,
                install,
                seed);
    }

    private ParameterException wrong(String message) {
        return new ParameterException(spec.commandLine(), message);
    }

    private static final class Scenarios implements ITypeConverter<DiskScenario>, Iterable<String> {
        @Override
        public DiskScenario convert(String name) {
            return VerbLine.named(name, EnumSet.allOf(DiskScenario.class), DiskScenario::key);
        }

        @Override
        public Iterator<String> iterator() {
            return Arrays.stream(DiskScenario.values()).map(DiskScenario::key).iterator();
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
