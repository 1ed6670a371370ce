package io.weir.proxy;

import io.weir.base.ConfigNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Configuration sections from lines like {@code routes.0.origins.0=http://a}; numbers are places in lists. */
final class TestConfig {
    private TestConfig() {}

    static ConfigNode.Mapping of(String... lines) {
        Map<String, Object> tree = new LinkedHashMap<>();
        for (String line : lines) {
            int equals = line.indexOf('=');
            put(tree, line.substring(0, equals), line.substring(equals + 1));
        }
        return (ConfigNode.Mapping) node(tree);
    }

    @SuppressWarnings("unchecked") // the tree holds only maps of this kind and texts
    private static void put(Map<String, Object> tree, String path, String value) {
        int dot = path.indexOf('.');
        if (dot < 0) {
            tree.put(path, value);
        } else {
            Object below = tree.computeIfAbsent(path.substring(0, dot), _ -> new LinkedHashMap<String, Object>());
            put((Map<String, Object>) below, path.substring(dot + 1), value);
        }
    }

    private static ConfigNode node(Object value) {
        ConfigNode.Place place = ConfigNode.Place.of("test");
        if (!(value instanceof Map<?, ?> map)) {
            return new ConfigNode.Scalar(place, (String) value);
        }
        boolean list = !map.isEmpty() && map.keySet().stream().allMatch(k -> Character.isDigit(((String) k).charAt(0)));
        if (list) {
            List<ConfigNode> items = new ArrayList<>();
            map.values().forEach(v -> items.add(node(v)));
            return new ConfigNode.Sequence(place, items);
        }
        ConfigNode.Mapping mapping = ConfigNode.Mapping.empty(place);
        for (Map.Entry<?, ?> e : map.entrySet()) {
            mapping = mapping.with((String) e.getKey(), node(e.getValue()));
        }
        return mapping;
    }
}
