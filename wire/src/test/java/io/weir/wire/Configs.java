package io.weir.wire;

import io.weir.base.ConfigBinder;
import io.weir.base.ConfigNode;
import io.weir.wire.server.WireConfig;

/** Configurations for tests from {@code key.key=value} texts; what is not given has its default. */
public final class Configs {
    private static final ConfigNode.Place HERE = ConfigNode.Place.of("test");

    private Configs() {}

    public static WireConfig config(String... settings) {
        return bind(WireConfig.class, settings);
    }

    public static <T extends Record> T bind(Class<T> type, String... settings) {
        ConfigNode.Mapping tree = ConfigNode.Mapping.empty(HERE);
        for (String s : settings) {
            int equals = s.indexOf('=');
            tree = tree.with(s.substring(0, equals), new ConfigNode.Scalar(HERE, s.substring(equals + 1)));
        }
        ConfigBinder binder = new ConfigBinder();
        T bound = binder.bind(tree, type);
        if (!binder.problems().isEmpty()) {
            throw new IllegalArgumentException(binder.problems().toString());
        }
        return bound;
    }
}
