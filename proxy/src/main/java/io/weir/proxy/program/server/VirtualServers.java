package io.weir.proxy.program.server;

import io.weir.proxy.program.config.VirtualServerConfig;
import io.weir.proxy.program.match.HostPattern;
import io.weir.proxy.program.match.HostTable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The virtual servers of a configuration, and the selection of one: by listener, then by the most specific host (name,
 * longest {@code *.suffix}), else the one that the listener names ({@code listeners.NAME.virtual-server}), else one
 * without hosts that names the listener, else {@code default}. Immutable.
 */
public final class VirtualServers {
    /** Only {@code default}. */
    public static final VirtualServers DEFAULT = of(Map.of());

    private final List<VirtualServer> all;
    private final Map<String, VirtualServer> byName = new HashMap<>();
    private final Map<String, HostTable<VirtualServer>> byListener = new HashMap<>();
    private final HostTable<VirtualServer> elsewhere;
    private final Map<String, VirtualServer> hostless = new HashMap<>();
    private final VirtualServer standard;

    private VirtualServers(List<VirtualServer> all) {
        this.all = List.copyOf(all);
        Set<String> listeners = new HashSet<>();
        for (VirtualServer v : all) {
            byName.put(v.name(), v);
            listeners.addAll(v.listeners());
            if (v.hosts().isEmpty()) {
                v.listeners().forEach(listener -> hostless.putIfAbsent(listener, v));
            }
        }
        for (String listener : listeners) {
            byListener.put(listener, table(listener));
        }
        this.elsewhere = table("");
        this.standard = Objects.requireNonNull(byName.get(VirtualServer.DEFAULT_NAME));
    }

    /** Reads the section {@code virtual-servers}; adds {@code default} if it is missing. */
    public static VirtualServers of(Map<String, VirtualServerConfig> section) {
        List<VirtualServer> servers = new ArrayList<>();
        section.forEach((name, config) -> servers.add(new VirtualServer(
                name,
                servers.size(),
                config.hosts().stream().map(HostPattern::of).distinct().toList(),
                config.listeners(),
                config.workManager(),
                config.requestClass())));
        if (!section.containsKey(VirtualServer.DEFAULT_NAME)) {
            servers.add(
                    new VirtualServer(VirtualServer.DEFAULT_NAME, servers.size(), List.of(), List.of(), null, null));
        }
        return new VirtualServers(servers);
    }

    private HostTable<VirtualServer> table(String listener) {
        HostTable<VirtualServer> table = new HostTable<>();
        for (VirtualServer v : all) {
            if (v.listeners().isEmpty() || v.listeners().contains(listener)) {
                v.hosts().forEach(host -> table.putIfAbsent(host, v));
            }
        }
        return table;
    }

    /**
     * The virtual server for a request: host bytes {@code [from, to)} without port, in any case. Allocates nothing.
     *
     * @param listener the listener's name
     * @param preferred the listener's configured virtual server, {@code default} for none
     */
    public VirtualServer select(String listener, String preferred, byte[] host, int from, int to) {
        VirtualServer found = byListener.getOrDefault(listener, elsewhere).find(host, from, to);
        if (found != null) {
            return found;
        }
        VirtualServer own = byName.get(preferred);
        return own == null || own.equals(standard) ? hostless.getOrDefault(listener, standard) : own;
    }

    /** All of them as they appear in cache keys. */
    public Set<String> keyed() {
        return all.stream().map(VirtualServer::keyed).collect(Collectors.toSet());
    }

    public List<VirtualServer> all() {
        return all;
    }

    public @Nullable VirtualServer named(String name) {
        return byName.get(name);
    }

    /** Their positions by name. */
    public Map<String, Integer> ordinals() {
        return all.stream().collect(Collectors.toMap(VirtualServer::name, VirtualServer::ordinal));
    }
}
