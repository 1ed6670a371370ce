package io.weir.server.config;

import io.weir.base.ConfigNode;
import io.weir.base.ConfigProblem;
import io.weir.server.files.PrivateFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The persisted live changes of a data directory, applied above the file and below {@code --set} at each start. */
public final class Overrides {
    /** Its name in the data directory. */
    public static final String FILE = "overrides.yaml";

    static final String HEADER = "# Persisted live changes: above the file, below --set. Delete a line to drop it.\n";

    private Overrides() {}

    /**
     * Goes back to an earlier configuration while no server runs: the overrides become what makes the file into it.
     *
     * @return what prevents it; empty when it was done
     * @throws IOException when there is no such configuration, or the overrides cannot be written
     */
    public static List<ConfigProblem> rollback(LoadedConfig loaded, Path dataDir, int number) throws IOException {
        List<ConfigProblem> problems = new ArrayList<>();
        Map<String, ConfigNode> changes = Changes.between(loaded.base(), new History(dataDir).read(number), problems);
        ConfigNode.Mapping overrides = ConfigNode.Mapping.empty(ConfigNode.Place.of(FILE));
        for (Map.Entry<String, ConfigNode> e : changes.entrySet()) {
            overrides = overrides.with(e.getKey(), e.getValue());
        }
        ConfigLoader.bind(Overlay.over(loaded.base(), overrides), problems);
        if (problems.isEmpty()) {
            PrivateFiles.write(dataDir.resolve(FILE), HEADER + YamlText.of(overrides));
        }
        return problems;
    }
}
