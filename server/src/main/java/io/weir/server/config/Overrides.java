package io.weir.server.config;

import io.weir.base.ConfigNode;
import io.weir.base.ConfigProblem;
import io.weir.server.files.PrivateFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The persisted live changes of a data directory, applied at each start over the file and under {@code --set}. */
public final class Overrides {
    /** Its name in the data directory. */
    public static final String FILE = "overrides.yaml";

    private static final String HEADER =
            "# Persisted live changes: above the file, below --set. weir config drop KEY drops one.\n";

    private Overrides() {}

    /** The keys persisted at a path or below it. */
    static List<String> at(ConfigNode.Mapping overrides, String path) {
        return Overlay.leaves(overrides).keySet().stream()
                .filter(key -> key.equals(path) || key.startsWith(path + "."))
                .toList();
    }

    static void write(ConfigNode.Mapping overrides, Path dataDir) throws IOException {
        PrivateFiles.write(dataDir.resolve(FILE), HEADER + YamlText.of(overrides));
    }

    /**
     * Drops persisted changes while no server runs.
     *
     * @param path a key, or a section for all that is persisted in it
     * @return what was dropped; empty if nothing is persisted there
     * @throws IOException if the overrides cannot be read or written: what is persisted is unknown
     */
    public static List<String> drop(LoadedConfig loaded, Path dataDir, String path) throws IOException {
        readable(loaded, dataDir);
        List<String> dropped = at(loaded.overrides(), path);
        ConfigNode.Mapping kept = loaded.overrides();
        for (String key : dropped) {
            kept = kept.without(key);
        }
        if (!dropped.isEmpty()) {
            write(kept, dataDir);
        }
        return dropped;
    }

    /**
     * Goes back to an earlier configuration while no server runs: the overrides become the changes that turn the file
     * into it.
     *
     * @return the problems that prevent it; empty if it was done
     * @throws IOException if there is no such configuration, or the overrides cannot be written
     */
    public static List<ConfigProblem> rollback(LoadedConfig loaded, Path dataDir, int number) throws IOException {
        List<ConfigProblem> problems = new ArrayList<>();
        Map<String, ConfigNode> changes = Changes.between(loaded.base(), new History(dataDir).read(number), problems);
        ConfigNode.Mapping overrides = ConfigNode.Mapping.empty(ConfigNode.Place.of(FILE));
        for (Map.Entry<String, ConfigNode> e : changes.entrySet()) {
            // only the file has this key, so an override is needed
            overrides = overrides.with(
                    e.getKey(), Changes.isRemoved(e.getValue()) ? Changes.defaultOf(e.getKey()) : e.getValue());
        }
        ConfigLoader.bind(Overlay.over(loaded.base(), overrides), loaded.functions(), problems);
        problems.addAll(YamlText.unreadable(overrides, FILE));
        if (problems.isEmpty()) {
            write(overrides, dataDir);
        }
        return problems;
    }

    private static void readable(LoadedConfig loaded, Path dataDir) throws IOException {
        Path file = dataDir.resolve(FILE).toAbsolutePath().normalize();
        for (ConfigProblem p : loaded.problems()) {
            if (Path.of(p.at().source()).toAbsolutePath().normalize().equals(file)
                    && p.key().isEmpty()) {
                throw new IOException("nothing was dropped, because " + p
                        + "; correct the file, or delete it to drop all" + " that is persisted");
            }
        }
    }
}
