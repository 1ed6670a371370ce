package io.weir.server.config;

import io.weir.base.ConfigNode;
import io.weir.base.KeyPath;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Lays one configuration tree over another and flattens trees to dotted keys. Stateless. */
final class Overlay {
    private Overlay() {}

    /**
     * The lower tree with every value of the upper one; lists are replaced whole, and an empty value for a section
     * removes the section, such as a named entry.
     */
    static ConfigNode.Mapping over(ConfigNode.Mapping lower, ConfigNode.Mapping upper) {
        Map<String, ConfigNode> entries = new LinkedHashMap<>(lower.entries());
        Map<String, ConfigNode.Place> keys = new LinkedHashMap<>(lower.keys());
        upper.entries().forEach((key, value) -> {
            entries.merge(key, value, Overlay::merged);
            if (!(value instanceof ConfigNode.Mapping) || !keys.containsKey(key)) {
                keys.put(key, upper.placeOf(key));
            }
        });
        keys.keySet().retainAll(entries.keySet());
        return new ConfigNode.Mapping(lower.at(), entries, keys);
    }

    private static @Nullable ConfigNode merged(ConfigNode lower, ConfigNode upper) {
        if (!(lower instanceof ConfigNode.Mapping section)) {
            return upper;
        }
        boolean empty = upper instanceof ConfigNode.Scalar s && s.text().isEmpty();
        return upper instanceof ConfigNode.Mapping more ? over(section, more) : empty ? null : upper;
    }

    /** Every value that is not a section, by its dotted key, in the tree's order; empty sections count as values. */
    static Map<String, ConfigNode> leaves(ConfigNode.Mapping tree) {
        Map<String, ConfigNode> leaves = new LinkedHashMap<>();
        collect(tree, "", leaves);
        return leaves;
    }

    private static void collect(ConfigNode.Mapping m, String above, Map<String, ConfigNode> into) {
        m.entries().forEach((key, value) -> {
            if (value instanceof ConfigNode.Mapping inner && !inner.entries().isEmpty()) {
                collect(inner, KeyPath.join(above, key), into);
            } else {
                into.put(KeyPath.join(above, key), value);
            }
        });
    }

    /** A node's content without its place, for comparing and showing. */
    static String content(ConfigNode node) {
        return switch (node) {
            case ConfigNode.Scalar s -> s.text();
            case ConfigNode.Sequence s ->
                s.items().stream().map(Overlay::content).toList().toString();
            case ConfigNode.Mapping m -> {
                StringBuilder b = new StringBuilder("{");
                m.entries()
                        .forEach((k, v) -> b.append(b.length() == 1 ? "" : ", ")
                                .append(k)
                                .append(": ")
                                .append(content(v)));
                yield b.append('}').toString();
            }
        };
    }

    /** Whether two nodes have the same content, wherever it stands. */
    static boolean same(ConfigNode a, ConfigNode b) {
        return switch (a) {
            case ConfigNode.Scalar s ->
                b instanceof ConfigNode.Scalar t && s.text().equals(t.text());
            case ConfigNode.Sequence s ->
                b instanceof ConfigNode.Sequence t
                        && s.items().size() == t.items().size()
                        && IntStream.range(0, s.items().size())
                                .allMatch(i -> same(s.items().get(i), t.items().get(i)));
            case ConfigNode.Mapping m ->
                b instanceof ConfigNode.Mapping n
                        && m.entries().keySet().equals(n.entries().keySet())
                        && m.entries().entrySet().stream().allMatch(e -> {
                            ConfigNode other = n.entries().get(e.getKey());
                            return other != null && same(e.getValue(), other);
                        });
        };
    }
}
