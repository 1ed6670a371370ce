package io.weir.lab.bench.jms;

import io.weir.lab.verb.Taker;
import io.weir.lab.verb.VerbLine;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code weir bench jms}: its options. Lives for one call. */
@Command(
        name = "jms",
        description = "Compares what a message costs Weir's broker and Apache ActiveMQ Artemis, in turn in one run.",
        sortOptions = false,
        footerHeading = "%nExample:%n",
        footer = "  ./weir bench jms --scenario persistent,persistent-8 --rounds 6")
public final class JmsBenchCommand implements Callable<Integer> {
    private static final String ALL = "all";
    private static final String ARTEMIS = "artemis";
    private static final String NONE = "none";

    private final Taker<JmsBenchOptions> taker;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--scenario",
            paramLabel = "SCENARIO,...",
            defaultValue = "topic,queue",
            converter = Scenarios.class,
            completionCandidates = Scenarios.class,
            description = "what is measured, in this order: of ${COMPLETION-CANDIDATES}, or " + ALL
                    + " (default: ${DEFAULT-VALUE})")
    private Chosen scenarios = new Chosen(List.of());

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "10",
            description = "turns of each broker, 1 to 1000 (default: ${DEFAULT-VALUE})")
    private int rounds;

    @Option(
            names = "--seconds",
            paramLabel = "S",
            defaultValue = "3",
            description = "measured part of a turn in seconds, 1 to 600 (default: ${DEFAULT-VALUE})")
    private int seconds;

    @Option(
            names = "--peers",
            paramLabel = ARTEMIS + "|" + NONE,
            defaultValue = ARTEMIS,
            converter = Peers.class,
            description = "the broker to compare with (default: ${DEFAULT-VALUE})")
    private String peer = ARTEMIS;

    @Option(
            names = "--rate",
            paramLabel = "R",
            description = "questions a second of paced, 1 to 1000000 (default: half of the best peer's peak)")
    private @Nullable Long rate;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "of the bootstrap, a whole number (default: ${DEFAULT-VALUE})")
    private long seed;

    @Option(
            names = {"--install", "--install-peers"},
            description = "installs libaio for the peer's journal with apt-get (default: installs nothing)")
    private boolean install;

    @Option(
            names = "--against",
            paramLabel = "FOLDER",
            description =
                    "another build of Weir, which is measured in turn with this one: a checkout that was built, or a"
                            + " distribution")
    private @Nullable Path against;

    public JmsBenchCommand(Taker<JmsBenchOptions> taker) {
        this.taker = taker;
    }

    @Override
    public Integer call() throws Exception {
        VerbLine.range(spec, "--rounds", rounds, 1, 1000);
        VerbLine.range(spec, "--seconds", seconds, 1, 600);
        VerbLine.range(spec, "--rate", rate, 1, 1_000_000);
        taker.take(new JmsBenchOptions(
                scenarios.all(),
                rounds,
                seconds,
                rate != null ? rate : 0,
                peer.equals(ARTEMIS),
                install,
                seed,
                against));
        return 0;
    }

    /** The named scenarios. */
    private record Chosen(List<JmsScenario> all) {}

    private static final class Scenarios implements ITypeConverter<Chosen>, Iterable<String> {
        @Override
        public Chosen convert(String names) {
            if (names.equals(ALL)) {
                return new Chosen(List.of(JmsScenario.values()));
            }
            return new Chosen(Arrays.stream(names.split(",", -1))
                    .map(name -> VerbLine.named(name, EnumSet.allOf(JmsScenario.class), JmsScenario::key))
                    .toList());
        }

        @Override
        public Iterator<String> iterator() {
            return Arrays.stream(JmsScenario.values()).map(JmsScenario::key).iterator();
        }
    }

    private static final class Peers implements ITypeConverter<String> {
        @Override
        public String convert(String name) {
            return VerbLine.named(name, List.of(ARTEMIS, NONE), n -> n);
        }
    }
}
