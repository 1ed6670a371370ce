package io.weir.lab.scenario;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A parsed scenario file. Immutable.
 *
 * @param name path below the scenarios folder without its ending
 * @param about the sentence that it proves
 * @param tags words that select it ({@code nightly}, {@code process})
 * @param config the server's configuration with placeholders like {@code ${origin}}; null: the embedded default
 * @param sets {@code key=value} pairs given as {@code --set}
 * @param files further files in the scenario's folder, by their names: they are there before the server starts
 * @param origins names of the scripted origins, bound before the server starts
 * @param steps the steps, in order
 */
public record Scenario(
        String name,
        String about,
        Set<String> tags,
        @Nullable String config,
        List<String> sets,
        Map<String, String> files,
        List<String> origins,
        List<Line> steps) {
    public Scenario {
        tags = Set.copyOf(tags);
        sets = List.copyOf(sets);
        files = Map.copyOf(files);
        origins = List.copyOf(origins);
        steps = List.copyOf(steps);
    }

    boolean has(String stepWord) {
        return steps.stream().anyMatch(s -> s.word().equals(stepWord));
    }
}
