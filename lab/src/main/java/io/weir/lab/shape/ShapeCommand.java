package io.weir.lab.shape;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** The verb {@code shape} of the launcher. Stateless. */
public final class ShapeCommand {
    static final String USAGE = """
            usage: weir shape [--keep RELEASE]

              Prints the largest packages, files, methods, hubs and circles of classes, names that stand twice and what
              applications link without a comment, each with what it was at the last release (docs/shape.tsv).
              --keep RELEASE   writes today's figures there, as those of RELEASE
            """;

    private static final int FAILED = 1;
    private static final int MISUSED = 2;

    private ShapeCommand() {}

    public static void main(String[] words) {
        System.exit(run(Path.of(System.getProperty("weir.home", ".")), Arrays.asList(words), System.out, System.err));
    }

    /** Exit status: 0 printed, 1 could not, 2 misused. */
    static int run(Path home, List<String> words, PrintStream out, PrintStream err) {
        Path kept = home.resolve("docs/shape.tsv");
        try {
            if (words.equals(List.of("--help"))) {
                out.print(USAGE);
            } else if (words.isEmpty()) {
                List<String> then = Files.exists(kept) ? Files.readAllLines(kept) : List.of("release\tnone");
                out.print(ShapeText.report(
                        Shape.of(home), ShapeText.figures(then), then.getFirst().split("\t", -1)[1]));
            } else if (words.size() == 2 && words.getFirst().equals("--keep")) {
                Files.write(kept, ShapeText.kept(Shape.of(home), words.get(1)));
            } else {
                err.print(USAGE);
                return MISUSED;
            }
            return 0;
        } catch (IOException e) {
            err.println("weir: the sources or compiled classes could not be read: " + e);
            return FAILED;
        }
    }
}
