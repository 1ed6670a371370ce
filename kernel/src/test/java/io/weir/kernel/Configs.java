package io.weir.kernel;

import io.weir.base.ConfigBinder;
import io.weir.base.ConfigNode;
import io.weir.kernel.listen.ListenerConfig;
import io.weir.kernel.settings.KernelConfig;
import io.weir.kernel.work.WorkManagerConfig;
import java.util.Map;

/** Configurations for tests from {@code key.key=value} texts; what is not given has its default. */
public final class Configs {
    private static final ConfigNode.Place HERE = ConfigNode.Place.of("test");

    private Configs() {}

    public static KernelConfig kernel(String... settings) {
        return bind(KernelConfig.class, settings);
    }

    /** A listener on a free loopback port. */
    public static ListenerConfig listener(String... settings) {
        String[] all = new String[settings.length + 1];
        all[0] = "port=0";
        System.arraycopy(settings, 0, all, 1, settings.length);
        return bind(ListenerConfig.class, all);
    }

    public static WorkManagerConfig work(String... settings) {
        return bind(WorkManagerConfig.class, settings);
    }

    public static <T extends Record> T bind(Class<T> type, String... settings) {
        ConfigNode.Mapping tree = ConfigNode.Mapping.empty(HERE);
        for (String s : settings) {
            int equals = s.indexOf('=');
            tree = tree.with(s.substring(0, equals), new ConfigNode.Scalar(HERE, s.substring(equals + 1)));
        }
        ConfigBinder binder = new ConfigBinder();
        T bound = binder.bind((ConfigNode.Mapping) lists(tree), type);
        if (!binder.problems().isEmpty()) {
            throw new IllegalArgumentException(binder.problems().toString());
        }
        return bound;
    }

    /** A section whose keys are numbers is a list. */
    private static ConfigNode lists(ConfigNode node) {
        if (!(node instanceof ConfigNode.Mapping m)) {
            return node;
        }
        if (m.entries().containsKey("0")) {
            return new ConfigNode.Sequence(
                    HERE, m.entries().values().stream().map(Configs::lists).toList());
        }
        ConfigNode.Mapping out = ConfigNode.Mapping.empty(HERE);
        for (Map.Entry<String, ConfigNode> e : m.entries().entrySet()) {
            out = out.with(e.getKey(), lists(e.getValue()));
        }
        return out;
    }
}
