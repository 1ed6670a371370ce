package io.weir.proxy.program;

import io.weir.base.ConfigNode;
import io.weir.base.ConfigProblem;
import io.weir.proxy.program.match.HostPattern;
import io.weir.proxy.program.match.HostTable;
import io.weir.proxy.program.server.VirtualServer;
import io.weir.proxy.program.server.VirtualServers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which hosts select which virtual server, determined for each listener as for requests. Finds hosts that another
 * virtual server already has, and routes for hosts that never reach their virtual server. Immutable.
 */
final class ServerReach {
    /** A label that no host begins with. */
    private static final String SOME = "-.";

    private final VirtualServers servers;
    private final Map<String, String> listeners;

    /** @param listeners HTTP listeners, each with its virtual server */
    ServerReach(VirtualServers servers, Map<String, String> listeners) {
        this.servers = servers;
        this.listeners = Map.copyOf(listeners);
    }

    /** Hosts of virtual servers that always select another one. */
    List<ConfigProblem> taken(ConfigNode.Mapping tree) {
        List<ConfigProblem> found = new ArrayList<>();
        for (VirtualServer server : servers.all()) {
            String key = "virtual-servers." + server.name() + ".hosts";
            for (String host : server.hosts()) {
                if (!reaches(host, server)) {
                    found.add(new ConfigProblem(
                            tree.nearestPlace(key),
                            key,
                            "requests for " + host + " never reach it: " + instead(host, server)));
                }
            }
        }
        return found;
    }

    private String instead(String host, VirtualServer server) {
        Set<String> others = new LinkedHashSet<>();
        listeners.forEach((listener, named) -> {
            if (server.listeners().isEmpty() || server.listeners().contains(listener)) {
                others.add(selected(listener, named, host).name());
            }
        });
        return others.isEmpty()
                ? "none of its listeners speaks http"
                : "the virtual server " + String.join(", ", others) + " has them already";
    }

    /** Why no request for a route's hosts reaches a virtual server; null: some may. */
    @Nullable
    String never(@Nullable String name, List<String> hosts) {
        VirtualServer server = name == null ? null : servers.named(name);
        if (server == null || listeners.isEmpty()) {
            return null;
        }
        for (String host : hosts.isEmpty() ? List.of("*") : hosts) {
            if (mayReach(HostPattern.of(host), server)) {
                return null;
            }
        }
        return (hosts.isEmpty() ? "no request" : "no request for " + String.join(", ", hosts))
                + " reaches the virtual server " + name + ", whose hosts are " + server.hosts();
    }

    private boolean mayReach(String wanted, VirtualServer server) {
        HostTable<Boolean> those = new HostTable<>();
        those.putIfAbsent(wanted, true);
        List<String> candidates = new ArrayList<>(server.hosts());
        candidates.add(wanted);
        for (String candidate : candidates) {
            byte[] host = example(candidate);
            if (those.find(host, 0, host.length) != null && reaches(candidate, server)) {
                return true;
            }
        }
        return false;
    }

    /**
     * A request's host and the virtual server that it selects, one for each class of hosts that the configuration does
     * not distinguish.
     *
     * @param host a configured name, or one that represents all others below a name, or all others
     */
    record Arrival(String host, String server) {}

    /** All hosts that the patterns, those of virtual servers included, can distinguish. */
    Set<Arrival> arrivals(Collection<String> patterns) {
        Set<String> hosts = new LinkedHashSet<>(List.of("*"));
        hosts.addAll(patterns);
        servers.all().forEach(s -> hosts.addAll(s.hosts()));
        Set<Arrival> all = new LinkedHashSet<>();
        for (String pattern : hosts) {
            Map<String, String> on = listeners.isEmpty() ? Map.of("", VirtualServer.DEFAULT_NAME) : listeners;
            on.forEach((listener, named) -> all.add(new Arrival(
                    exampleOf(pattern), selected(listener, named, pattern).name())));
        }
        return all;
    }

    private boolean reaches(String host, VirtualServer server) {
        return listeners.entrySet().stream()
                .anyMatch(l -> selected(l.getKey(), l.getValue(), host).equals(server));
    }

    private VirtualServer selected(String listener, String named, String pattern) {
        byte[] host = example(pattern);
        return servers.select(listener, named, host, 0, host.length);
    }

    /** A host that a pattern matches. */
    static String exampleOf(String pattern) {
        return pattern.equals("*")
                ? SOME + "invalid"
                : pattern.startsWith("*.") ? SOME + pattern.substring(2) : pattern;
    }

    private static byte[] example(String pattern) {
        return exampleOf(pattern).getBytes(StandardCharsets.ISO_8859_1);
    }
}
