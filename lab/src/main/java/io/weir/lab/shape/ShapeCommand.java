package io.weir.lab.shape;

import io.weir.lab.verb.VerbLine;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The verb {@code shape} of the launcher. Exit status: 0 printed, 1 could not, 2 misused. Lives for one call. */
@Command(
        name = "weir shape",
        description =
                "Prints the largest packages, files, methods, hubs and circles of classes, names that stand twice and"
                        + " what applications link without a comment, each with what it was at the last release (docs/shape.tsv).",
        sortOptions = false,
        footerHeading = "%nExample:%n",
        footer = "  ./weir shape")
public final class ShapeCommand implements Callable<Integer> {
    private final Path home;
    private final PrintStream out;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--keep",
            paramLabel = "RELEASE",
            description = "writes today's figures there, as those of RELEASE (default: prints them)")
    private @Nullable String keep;

    private ShapeCommand(Path home, PrintStream out) {
        this.home = home;
        this.out = out;
    }

    public static void main(String[] words) {
        Path home = Path.of(System.getProperty("weir.home", "."));
        System.exit(line(home, System.out, System.err).execute(words));
    }

    static CommandLine line(Path home, PrintStream out, PrintStream err) {
        return VerbLine.of(
                new CommandLine(new ShapeCommand(home, out)),
                out,
                err,
                e -> "the sources or compiled classes could not be read: " + e);
    }

    @Override
    public Integer call() throws IOException {
        if (keep != null && !keep.matches("[A-Za-z0-9][A-Za-z0-9._-]*")) {
            throw new ParameterException(
                    spec.commandLine(), "--keep needs the name of a release, such as 1.2.0, not '" + keep + "'");
        }
        Path kept = home.resolve("docs/shape.tsv");
        if (keep != null) {
            Files.write(kept, ShapeText.kept(Shape.of(home), keep));
        } else {
            List<String> then = Files.exists(kept) ? Files.readAllLines(kept) : List.of("release\tnone");
            out.print(ShapeText.report(
                    Shape.of(home), ShapeText.figures(then), then.getFirst().split("\t", -1)[1]));
        }
        return 0;
    }
}
