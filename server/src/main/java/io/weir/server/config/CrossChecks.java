package io.weir.server.config;

import io.weir.base.ConfigNode;
import io.weir.base.ConfigProblem;
import io.weir.server.log.LogLevels;
import java.util.ArrayList;
import java.util.List;

/** What no single key can check: references between sections, and what they share. Used once. */
final class CrossChecks {
    private final ConfigNode.Mapping tree;
    private final List<ConfigProblem> problems = new ArrayList<>();

    private CrossChecks(ConfigNode.Mapping tree) {
        this.tree = tree;
    }

    /** Every problem of a bound configuration. */
    static List<ConfigProblem> of(WeirConfig config, ConfigNode.Mapping tree) {
        CrossChecks checks = new CrossChecks(tree);
        checks.logLevels(config);
        return checks.problems;
    }

    private void logLevels(WeirConfig config) {
        for (String entry : config.server().log().levels()) {
            String problem = LogLevels.problem(entry);
            if (problem != null) {
                report("server.log.levels", problem);
            }
        }
    }

    private void report(String key, String what) {
        problems.add(new ConfigProblem(tree.nearestPlace(key), key, what));
    }
}
