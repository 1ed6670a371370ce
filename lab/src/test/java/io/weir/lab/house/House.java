package io.weir.lab.house;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;

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
    static List<Path> walk(Predicate<Path> wanted) {
        Ours ours = new Ours(root());
        try {
            Files.walkFileTree(ours.root, ours);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return ours.files.stream().filter(wanted).sorted().toList();
    }

    /** Does not go into what is not ours, which has many times as many files. */
    private static final class Ours extends SimpleFileVisitor<Path> {
        private static final Set<String> OUTSIDE = Set.of("target", ".git", ".idea");

        final Path root;
        final List<Path> files = new ArrayList<>();

        Ours(Path root) {
            this.root = root;
        }

        private boolean outside(Path path) {
            return OUTSIDE.contains(String.valueOf(path.getFileName()))
                    || root.relativize(path).startsWith("data");
        }

        @Override
        public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            return outside(folder) ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (!outside(file) && Files.isRegularFile(file)) {
                files.add(file);
            }
            return FileVisitResult.CONTINUE;
        }
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
