package io.weir.lab.shape;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The shape of the sources in figures: lists, each with its largest values first. People read them and decide; no build
 * fails because a number is large, because hard limits are only met formally. Immutable.
 */
record Shape(List<Figures> lists) {
    /**
     * One list.
     *
     * @param title the counted quantity
     * @param guide the value above which an item is worth a look
     * @param values all of them, by name
     */
    record Figures(String title, int guide, Map<String, Integer> values) {
        /** The number of values over the guide. */
        long over() {
            return values.values().stream().filter(v -> v > guide).count();
        }
    }

    /** @param home the folder with the rooms, compiled */
    static Shape of(Path home) throws IOException {
        List<Path> sources = new ArrayList<>();
        List<Path> compiled = new ArrayList<>();
        try (Stream<Path> rooms = Files.list(home)) {
            for (Path room : rooms.sorted().toList()) {
                Path main = room.resolve("src/main/java");
                if (Files.isDirectory(main)) {
                    try (Stream<Path> files = Files.walk(main)) {
                        sources.addAll(files.filter(f -> f.toString().endsWith(".java"))
                                .toList());
                    }
                    compiled.add(room.resolve("target/classes"));
                }
            }
        }
        return of(SourceShape.of(sources), ClassGraph.of(compiled));
    }

    static Shape of(SourceShape sources, ClassGraph graph) {
        return new Shape(List.of(
                new Figures("files of a package", 40, sources.packages),
                new Figures("lines of a file", 500, sources.files),
                new Figures("lines of a method", 45, sources.methods),
                new Figures("classes of Weir that a class knows", 40, known(graph)),
                new Figures("largest circle of classes in a package", 12, circles(graph)),
                new Figures("classes of one name", 1, counted(sources.names)),
                new Figures("public methods of linked packages without a comment", 0, sources.undocumented)));
    }

    private static Map<String, Integer> known(ClassGraph graph) {
        return counted(graph.edges());
    }

    private static Map<String, Integer> counted(Map<String, Set<String>> sets) {
        Map<String, Integer> counts = new TreeMap<>();
        sets.forEach((name, set) -> counts.put(name, set.size()));
        return counts;
    }

    private static Map<String, Integer> circles(ClassGraph graph) {
        Map<String, Integer> sizes = new TreeMap<>();
        for (String name : graph.packages()) {
            List<Set<String>> circles = Circles.of(graph.within(name));
            if (!circles.isEmpty()) {
                sizes.put(name, circles.getFirst().size());
            }
        }
        return Collections.unmodifiableMap(sizes);
    }
}
