package io.weir.lab.house;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** The repository on disk: its root, its rooms, its files. Stateless. */
public final class House {
    private House() {}

    /** The folder that holds the parent pom: found upwards from where the tests run. */
    public static Path root() {
        Path at = Path.of("").toAbsolutePath();
        while (!Files.isDirectory(at.resolve(".mvn"))) {
            at = Objects.requireNonNull(at.getParent(), "no .mvn folder above the working directory");
        }
        return at;
    }

    /** All Java sources of all rooms, tests included. */
    static List<Path> sources() {
        return walk(p -> p.toString().endsWith(".java"));
    }

    /** All files that are ours: no build output, no version control. */
    static List<Path> walk(java.util.function.Predicate<Path> wanted) {
        try (Stream<Path> all = Files.walk(root())) {
            return all.filter(p -> !outside(root().relativize(p)))
                    .filter(Files::isRegularFile)
                    .filter(wanted)
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean outside(Path relative) {
        for (Path part : relative) {
            String name = part.toString();
            if (name.equals("target") || name.equals(".git") || name.equals(".idea")) {
                return true;
            }
        }
        return relative.startsWith("data");
    }

    static String name(Path file) {
        return root().relativize(file).toString();
    }

    static boolean inRoom(Path file, String room) {
        return root().relativize(file).startsWith(room);
    }

    public static String text(Path file) {
        try {
            return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
