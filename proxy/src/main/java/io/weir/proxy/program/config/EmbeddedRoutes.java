package io.weir.proxy.program.config;

import io.weir.base.ConfigBinder;
import io.weir.base.ConfigNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The routes used when none is configured: the demo origin, and a forward proxy with tunnels for the clients that
 * {@code proxy.destinations.clients} permits, by default those on this machine. Stateless.
 */
public final class EmbeddedRoutes {
    private static final ConfigNode.Place AT = ConfigNode.Place.of("built-in default");

    private EmbeddedRoutes() {}

    public static List<RouteConfig> routes() {
        ConfigNode.Scalar on = new ConfigNode.Scalar(AT, "on");
        return List.of(route("demo", on), route("forward", on), route("connect", mapping(Map.of("enabled", on))));
    }

    private static RouteConfig route(String key, ConfigNode value) {
        return new ConfigBinder().bind(mapping(Map.of(key, value)), RouteConfig.class);
    }

    private static ConfigNode.Mapping mapping(Map<String, ConfigNode> entries) {
        return new ConfigNode.Mapping(AT, new LinkedHashMap<>(entries), Map.of());
    }
}
