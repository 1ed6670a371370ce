package io.weir.lab.bench.growth;

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
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code weir bench growth}: its options. Lives for one call. */
@Command(
        name = "growth",
        description = "Measures what a unit of work costs Weir while one number grows by powers of ten.",
        sortOptions = false,
        footerHeading = "%nExamples:%n",
        footer = {
            "  ./weir bench growth --growth objects,routes --rounds 6 --seconds 1",
            "  ./weir bench growth --growth all --max-step 10000 --svg charts"
        })
public final class GrowthBenchCommand implements Callable<Integer> {
    private static final String ALL = "all";
    private static final String PAGE = "lab/target/bench/growth.html";

    private final Taker<GrowthOptions> taker;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--growth",
            paramLabel = "GROWTH,...",
            defaultValue = ALL,
            converter = Growths.class,
            completionCandidates = Growths.class,
            description = "what grows: of ${COMPLETION-CANDIDATES}, or " + ALL + " (default: ${DEFAULT-VALUE})")
    private Chosen growths = new Chosen(EnumSet.noneOf(Growth.class));

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "6",
            description = "turns of each step, 1 to 1000; fewer than 6 give no verdict (default: ${DEFAULT-VALUE})")
    private int rounds;

    @Option(
            names = "--seconds",
            paramLabel = "S",
            defaultValue = "2",
            description = "length of a turn in seconds, 1 to 600 (default: ${DEFAULT-VALUE})")
    private int seconds;

    @Option(
            names = "--max-step",
            paramLabel = "N",
            defaultValue = "1000000",
            description = "larger steps are left out, 1 to 1000000 (default: ${DEFAULT-VALUE})")
    private long maxStep;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "of the random orders and of the bootstrap, a whole number (default: ${DEFAULT-VALUE})")
    private long seed;

    @Option(
            names = "--html",
            paramLabel = "FILE",
            description = "the page with the charts (default: lab/target/bench/growth.html)")
    private @Nullable Path html;

    @Option(
            names = "--svg",
            paramLabel = "FOLDER",
            description = "also writes each chart as a file of this folder (default: none)")
    private @Nullable Path svg;

    @Option(names = "--install", description = "installs missing programs with apt-get (default: installs nothing)")
    private boolean install;

    public GrowthBenchCommand(Taker<GrowthOptions> taker) {
        this.taker = taker;
    }

    @Override
    public Integer call() throws Exception {
        taker.take(options());
        return 0;
    }

    private GrowthOptions options() {
        VerbLine.range(spec, "--rounds", rounds, 1, 1000);
        VerbLine.range(spec, "--seconds", seconds, 1, 600);
        VerbLine.range(spec, "--max-step", maxStep, 1, 1_000_000);
        for (Growth each : growths.all()) {
            try {
                each.steps(maxStep);
            } catch (IllegalArgumentException e) {
                throw wrong("--max-step: " + e.getMessage());
            }
        }
        Path page = html != null
                ? html
                : Path.of(System.getProperty("weir.home", ".")).resolve(PAGE);
        if (Files.isDirectory(page)) {
            throw wrong("--html takes a file, and " + page + " is a folder");
        }
        if (svg != null && Files.isRegularFile(svg)) {
            throw wrong("--svg takes a folder, and " + svg + " is a file");
        }
        return new GrowthOptions(List.copyOf(growths.all()), rounds, seconds, maxStep, install, seed, page, svg);
    }

    private ParameterException wrong(String message) {
        return new ParameterException(spec.commandLine(), message);
    }

    /** The named growths, each once. */
    private record Chosen(Set<Growth> all) {}

    private static final class Growths implements ITypeConverter<Chosen>, Iterable<String> {
        @Override
        public Chosen convert(String names) {
            if (names.equals(ALL)) {
                return new Chosen(EnumSet.allOf(Growth.class));
            }
            Set<Growth> all = EnumSet.noneOf(Growth.class);
            for (String name : names.split(",", -1)) {
                all.add(VerbLine.named(name, EnumSet.allOf(Growth.class), Growth::key));
            }
            return new Chosen(all);
        }

        @Override
        public Iterator<String> iterator() {
            return Arrays.stream(Growth.values()).map(Growth::key).iterator();
        }
    }
}
