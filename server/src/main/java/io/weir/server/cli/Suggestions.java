package io.weir.server.cli;

import io.weir.kernel.listen.ListenerConfig;
import io.weir.kernel.listen.ListenerProtocol;
import io.weir.kernel.listen.PlainHttp2;
import io.weir.proxy.program.Explain;
import io.weir.proxy.program.config.RouteConfig;
import io.weir.proxy.program.match.PathMatch;
import io.weir.proxy.program.run.Program;
import io.weir.server.config.LoadedConfig;
import io.weir.server.config.WeirConfig;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Commands to try first with a new server, which give a result with its configuration. Stateless. */
final class Suggestions {
    private static final String OUTSIDE = "http://example.com/";

    private Suggestions() {}

    /**
     * Commands for a shell; none if the configuration refuses requests without a user or a host name.
     *
     * @param base the URL of the first listener that speaks http without TLS
     */
    static List<String> of(LoadedConfig loaded, String base) {
        WeirConfig config = loaded.value();
        Map.Entry<String, ListenerConfig> listener = config.listeners().entrySet().stream()
                .filter(l -> l.getValue().protocol() == ListenerProtocol.HTTP
                        && !l.getValue().secure()
                        && l.getValue().http2() != PlainHttp2.ONLY
                        && !l.getValue().proxyProtocol().enabled())
                .findFirst()
                .orElse(null);
        // routes are only evaluated, and user functions must not run for that
        if (listener == null || !config.proxy().functionJars().isEmpty()) {
            return List.of();
        }
        Program program = CheckCommand.program(loaded);
        List<String> found = new ArrayList<>();
        String path = paths(config).stream()
                .filter(p -> answers(program, p, listener, false))
                .findFirst()
                .orElse(null);
        if (path != null) {
            found.add("curl -i " + base + path);
        }
        // a route to origins answers such a request, too, but is not a forward proxy
        List<RouteConfig> routes = config.proxy().routes();
        boolean forwards = routes.isEmpty()
                || // the built-in default, or objects
                routes.stream().anyMatch(RouteConfig::forward);
        if (forwards && answers(program, OUTSIDE, listener, true)) {
            found.add("curl -x " + base + " -i " + OUTSIDE);
        }
        return found;
    }

    private static boolean answers(
            Program program, String url, Map.Entry<String, ListenerConfig> listener, boolean proxied) {
        return Explain.answers(
                program,
                new Explain.Question(
                        "GET",
                        url,
                        InetAddress.getLoopbackAddress(),
                        listener.getKey(),
                        listener.getValue().virtualServer(),
                        proxied));
    }

    /** The root, and paths of routes that a shell takes without quoting. */
    private static List<String> paths(WeirConfig config) {
        List<String> paths = new ArrayList<>(List.of("/"));
        for (RouteConfig route : config.proxy().routes()) {
            String path = literal(route);
            if (path != null) {
                paths.add(path);
            }
        }
        return paths;
    }

    private static @Nullable String literal(RouteConfig route) {
        boolean literal = route.pathMatch() == PathMatch.PREFIX || route.pathMatch() == PathMatch.EXACT;
        return literal && route.path().matches("[A-Za-z0-9_./-]+") ? route.path() : null;
    }
}
