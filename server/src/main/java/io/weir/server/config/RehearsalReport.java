package io.weir.server.config;

import io.weir.base.ConfigProblem;
import java.util.ArrayList;
import java.util.List;

/** The findings of a rehearsal, each with its place in the configuration. Confined to one rehearsal. */
final class RehearsalReport {
    private final LoadedConfig loaded;
    private final List<ConfigProblem> problems = new ArrayList<>();
    private final List<ConfigProblem> warnings = new ArrayList<>();

    RehearsalReport(LoadedConfig loaded) {
        this.loaded = loaded;
    }

    List<ConfigProblem> problems() {
        return List.copyOf(problems);
    }

    List<ConfigProblem> warnings() {
        return List.copyOf(warnings);
    }

    /** Whether a section's text has no errors, so that its values are those of the file. */
    boolean isClean(String section) {
        return loaded.problems().stream()
                .map(ConfigProblem::key)
                .noneMatch(
                        key -> key.equals(section) || key.startsWith(section + ".") || key.startsWith(section + "["));
    }

    void report(String key, String what) {
        problems.add(new ConfigProblem(loaded.tree().nearestPlace(key), key, what));
    }

    void warn(String key, String what) {
        warnings.add(new ConfigProblem(loaded.tree().nearestPlace(key), key, what));
    }
}
