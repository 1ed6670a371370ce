package io.weir.wire;

import io.weir.base.ConfigBinder;
import io.weir.base.ConfigNode;
import java.util.LinkedHashMap;
import java.util.Map;

/** Configurations for tests from {@code key.key=value} texts; what is not given has its default. */
final class Configs {
    private static final ConfigNode.Place HERE = ConfigNode.Place.of("test");

    private Configs() {}

    static WireConfig config(String... settings) {
        return bind(WireConfig.class, settings);
    }

    public static <T extends Record> T bind(Class<T> type, String... settings) {
        Map<String, Object> tree = new LinkedHashMap<>();
        for (String s : settings) {
            int equals = s.indexOf('=');
            put(tree, s.substring(0, equals).split("\\."), 0, s.substring(equals + 1));
        }
        ConfigBinder binder = new ConfigBinder();
        T bound = binder.bind(mapping(tree), type);
        if (!binder.problems().isEmpty()) {
            throw new IllegalArgumentException(binder.problems().toString());
        }
        return bound;
    }

    private static void put(Map<String, Object> into, String[] keys, int depth, String value) {
        if (depth == keys.length - 1) {
            into.put(keys[depth], value);
        } else {
            @SuppressWarnings("unchecked") // only maps are put under keys that are not last
            Map<String, Object> below =
                    (Map<String, Object>) into.computeIfAbsent(keys[depth], _ -> new LinkedHashMap<String, Object>());
            put(below, keys, depth + 1, value);
        }
    }

    private static ConfigNode.Mapping mapping(Map<?, ?> tree) {
        Map<String, ConfigNode> entries = new LinkedHashMap<>();
        Map<String, ConfigNode.Place> places = new LinkedHashMap<>();
        tree.forEach((k, v) -> {
            entries.put(
                    k.toString(), v instanceof Map<?, ?> m ? mapping(m) : new ConfigNode.Scalar(HERE, v.toString()));
            places.put(k.toString(), HERE);
        });
        return new ConfigNode.Mapping(HERE, entries, places);
    }
}
