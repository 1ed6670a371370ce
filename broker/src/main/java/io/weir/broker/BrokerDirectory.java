package io.weir.broker;

import io.weir.base.ConfigBinder;
import io.weir.base.Live;
import io.weir.broker.config.ConnectionFactoryConfig;
import io.weir.broker.config.DestinationConfig;
import io.weir.broker.config.MessagingConfig;
import io.weir.wire.login.Principal;
import io.weir.wire.naming.NamingDirectory;
import io.weir.wire.naming.NamingEntry;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The JNDI entries that applications look up: connection factories ({@code jms/name}), queues ({@code queue/name}) and
 * topics ({@code topic/name}), or their configured names. Shared; the entries are rebuilt for each configuration.
 */
final class BrokerDirectory implements NamingDirectory {
    /** The connection factory that always exists. */
    static final String DEFAULT = "default";

    private volatile NavigableMap<String, NamingEntry> entries = new TreeMap<>();

    BrokerDirectory(Live<MessagingConfig> config) {
        config.observe(c -> entries = build(c));
    }

    private static NavigableMap<String, NamingEntry> build(MessagingConfig c) {
        NavigableMap<String, NamingEntry> all = new TreeMap<>();
        factory(DEFAULT, ConfigBinder.defaults(ConnectionFactoryConfig.class), all);
        c.connectionFactories().forEach((name, f) -> factory(name, f, all));
        c.queues().forEach((name, d) -> destination("queue", name, d, all));
        c.topics().forEach((name, d) -> destination("topic", name, d, all));
        return all;
    }

    private static void factory(String name, ConnectionFactoryConfig f, Map<String, NamingEntry> into) {
        String bound = f.jndiName().isEmpty() ? "jms/" + name : f.jndiName();
        into.put(bound, new NamingEntry("connection-factory", bound, FactoryAttributes.of(f)));
    }

    private static void destination(String kind, String name, DestinationConfig d, Map<String, NamingEntry> into) {
        String bound = d.jndiName().isEmpty() ? kind + "/" + name : d.jndiName();
        into.put(bound, new NamingEntry(kind, bound, Map.of("name", name)));
    }

    @Override
    public @Nullable NamingEntry lookup(String name, Principal user) {
        return entries.get(name);
    }

    @Override
    public List<NamingEntry> list(String prefix, Principal user) {
        return List.copyOf(entries.subMap(prefix, true, prefix + Character.MAX_VALUE, false)
                .values());
    }
}
