package io.weir.server.config.sun;

import io.weir.base.ConfigNode;
import io.weir.base.ConfigNode.Place;
import io.weir.base.ConfigProblem;
import java.util.List;

/**
 * What the Sun servers' files say, as a part of the configuration. Immutable.
 *
 * @param tree values for knobs, each with the place where it is written
 * @param notes settings that have no meaning here, each with its reason
 * @param problems all mistakes
 * @param needs what {@code weir.yaml} must give, as these files cannot
 * @param migrated values that {@code weir migrate} writes, and that have no effect here
 * @param notesOfMigration the notes for {@code weir migrate}
 * @param leftByMigration what {@code weir migrate} does not translate, each with its reason
 */
public record SunLayer(
        ConfigNode.Mapping tree,
        List<ConfigProblem> notes,
        List<ConfigProblem> problems,
        List<Need> needs,
        ConfigNode.Mapping migrated,
        List<ConfigProblem> notesOfMigration,
        List<ConfigProblem> leftByMigration) {
    private static final ConfigNode.Mapping EMPTY = ConfigNode.Mapping.empty(Place.of("obj.conf"));

    /** No files. */
    public static final SunLayer NONE =
            new SunLayer(EMPTY, List.of(), List.of(), List.of(), EMPTY, List.of(), List.of());

    public SunLayer {
        notes = List.copyOf(notes);
        problems = List.copyOf(problems);
        needs = List.copyOf(needs);
        notesOfMigration = List.copyOf(notesOfMigration);
        leftByMigration = List.copyOf(leftByMigration);
    }

    /** A key that must be given elsewhere because of what stands at this place. */
    record Need(Place at, String key, String what) {}

    /** What is missing in the whole configuration. */
    public List<ConfigProblem> unmet(ConfigNode.Mapping all) {
        return needs.stream()
                .filter(need -> all.find(need.key()) == null)
                .map(need -> new ConfigProblem(need.at(), need.key(), need.what()))
                .toList();
    }
}
