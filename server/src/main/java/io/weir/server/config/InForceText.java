package io.weir.server.config;

import io.weir.base.ConfigNode;
import io.weir.base.ConfigNode.Place;
import io.weir.base.ConfigProblem;
import io.weir.base.Printable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A whole configuration on its way to other processes: YAML, below comments that say where each value came from, since
 * the operator wrote none of it into that file. Stateless.
 */
final class InForceText {
    private static final String AT = "# at: ";
    private static final char BETWEEN = '\t';

    private InForceText() {}

    static String of(ConfigNode.Mapping tree) {
        StringBuilder out = new StringBuilder();
        Overlay.leaves(tree)
                .forEach((key, node) -> out.append(AT)
                        .append(Printable.word(key))
                        .append(BETWEEN)
                        .append(Printable.word(node.at().toString()))
                        .append('\n'));
        return out + YamlText.of(tree);
    }

    /** Reads it; a value without such a comment has its place in the file. */
    static ConfigNode.Mapping read(Path file, List<ConfigProblem> problems) throws IOException {
        Map<String, Place> places = new HashMap<>();
        StringBuilder yaml = new StringBuilder();
        for (String line : Files.readString(file).split("\n", -1)) {
            int between = line.lastIndexOf(BETWEEN);
            if (line.startsWith(AT) && between > 0) {
                places.put(line.substring(AT.length(), between), Place.of(line.substring(between + 1)));
            } else {
                yaml.append(line).append('\n');
            }
        }
        ConfigNode.Mapping tree = Yaml.read(file.toString(), yaml.toString(), problems);
        for (Map.Entry<String, ConfigNode> e : Overlay.leaves(tree).entrySet()) {
            Place at = places.get(Printable.word(e.getKey()));
            tree = at == null ? tree : tree.with(e.getKey(), KnobService.placed(e.getValue(), at));
        }
        return tree;
    }
}
