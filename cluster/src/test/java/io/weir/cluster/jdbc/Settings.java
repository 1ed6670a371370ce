package io.weir.cluster.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.ConfigBinder;
import io.weir.base.ConfigNode;
import io.weir.cluster.config.ConsensusLogConfig;
import io.weir.cluster.config.DatabaseConfig;
import java.util.Map;

/** Sections of a configuration, from few keys. */
final class Settings {
    private static final ConfigNode.Place HERE = ConfigNode.Place.of("test");

    private Settings() {}

    static DatabaseConfig database(Map<String, String> keys) {
        return bind(keys, DatabaseConfig.class);
    }

    static ConsensusLogConfig log(Map<String, String> keys) {
        return bind(keys, ConsensusLogConfig.class);
    }

    private static <T extends Record> T bind(Map<String, String> keys, Class<T> section) {
        ConfigNode.Mapping tree = ConfigNode.Mapping.empty(HERE);
        for (Map.Entry<String, String> key : keys.entrySet()) {
            tree = tree.with(key.getKey(), new ConfigNode.Scalar(HERE, key.getValue()));
        }
        ConfigBinder binder = new ConfigBinder();
        T bound = binder.bind(tree, section);
        assertThat(binder.problems()).isEmpty();
        return bound;
    }
}
