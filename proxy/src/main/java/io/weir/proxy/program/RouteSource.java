package io.weir.proxy.program;

import io.weir.base.ConfigNode;
import io.weir.base.ConfigProblem;
import io.weir.http.TargetForm;
import io.weir.proxy.accesslog.AccessLogConfig;
import io.weir.proxy.accesslog.AccessLogs;
import io.weir.proxy.function.Stage;
import io.weir.proxy.pool.OriginsConfig;
import io.weir.proxy.program.build.ProgramBuilder;
import io.weir.proxy.program.build.ProgramSource;
import io.weir.proxy.program.config.EmbeddedRoutes;
import io.weir.proxy.program.config.ProxyConfig;
import io.weir.proxy.program.config.RouteConfig;
import io.weir.proxy.program.match.Globs;
import io.weir.proxy.program.match.RuleCondition;
import io.weir.proxy.program.run.Program;
import io.weir.proxy.program.server.VirtualServers;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The language {@code proxy.routes}: compiles each route to an object called {@code route-N}, and its match to
 * {@code assign-name} rules in the object {@code default}, the most specific first. Immutable.
 */
public final class RouteSource implements ProgramSource {
    private static final String DEFAULT = Program.DEFAULT_OBJECT;

    private final ProxyConfig config;
    private final VirtualServers virtualServers;
    private final ConfigNode.@Nullable Sequence written;
    private final ConfigNode.Place nowhere;

    /**
     * The routes of a configuration; those of the embedded default if it has none.
     *
     * @param tree the whole configuration as written, for places; null if there is none
     */
    public RouteSource(ProxyConfig config, VirtualServers virtualServers, ConfigNode.@Nullable Mapping tree) {
        this.config = config;
        this.virtualServers = virtualServers;
        this.written = sequence(tree);
        this.nowhere = ConfigNode.Place.of(config.routes().isEmpty() ? "built-in default" : "proxy.routes");
    }

    private static ConfigNode.@Nullable Sequence sequence(ConfigNode.@Nullable Mapping tree) {
        return tree != null
                        && tree.entries().get("proxy") instanceof ConfigNode.Mapping proxy
                        && proxy.entries().get("routes") instanceof ConfigNode.Sequence routes
                ? routes
                : null;
    }

    private ConfigNode.Place place(int i) {
        if (written != null && i < written.items().size()) {
            return written.items().get(i).at();
        }
        return config.routes().isEmpty() ? nowhere : ConfigNode.Place.of("proxy.routes[" + i + "]");
    }

    @Override
    public void compile(ProgramBuilder into) {
        List<RouteConfig> routes = config.routes().isEmpty() ? EmbeddedRoutes.routes() : config.routes();
        boolean forwarding = routes.stream().anyMatch(RouteConfig::forward);
        List<RouteRule> rules = new ArrayList<>();
        into.add(DEFAULT, Stage.PATH_CHECK, "url-check", Map.of(), nowhere);
        for (int i = 0; i < routes.size(); i++) {
            RouteConfig route = routes.get(i);
            RouteCheck check = new RouteCheck(
                    route,
                    virtualServers,
                    into,
                    place(i),
                    "proxy.routes[" + i + "]",
                    config.origins().keySet());
            if (check.passes()) {
                RouteRule.of(route, i, forms(route, forwarding), rules);
            }
            // even if the route has an error: the directives check the rest of it
            OriginsConfig pool = config.origins().get(String.valueOf(route.pool()));
            new RouteObject(route, pool, "route-" + i, place(i), "proxy.routes[" + i + "]", into).write();
        }
        rules.sort(RouteRule.ORDER);
        for (RouteRule rule : rules) {
            assign(rule, into);
        }
        log(AccessLogs.GLOBAL, config.accessLog(), into);
        config.accessLogs().forEach((name, log) -> log(name, log, into));
    }

    /** Routes that no request can ever match, with the reason; for a configuration without problems. */
    List<ConfigProblem> never(ServerReach servers) {
        List<RouteRule> rules = new ArrayList<>();
        boolean forwarding = config.routes().stream().anyMatch(RouteConfig::forward);
        for (int i = 0; i < config.routes().size(); i++) {
            RouteConfig route = config.routes().get(i);
            RouteRule.of(route, i, forms(route, forwarding), rules);
        }
        rules.sort(RouteRule.ORDER);
        return RouteReach.never(config.routes(), rules, servers, this::place);
    }

    private void log(String name, AccessLogConfig log, ProgramBuilder into) {
        if (log.format() == AccessLogConfig.Style.OFF) {
            return;
        }
        String function = log.format() == AccessLogConfig.Style.COMMON ? "common-log" : "flex-log";
        Map<String, List<String>> parameters = Map.of("name", List.of(name));
        if (log.virtualServers().isEmpty()) {
            log(function, parameters, RuleCondition.ALWAYS, into);
        }
        for (String server : log.virtualServers()) {
            log(function, parameters, new RuleCondition(List.of(), server, null, Set.of(), Set.of()), into);
        }
    }

    private void log(String function, Map<String, List<String>> parameters, RuleCondition when, ProgramBuilder into) {
        into.add(
                DEFAULT,
                Stage.ADD_LOG,
                function,
                parameters,
                when,
                ProgramBuilder.Common.NONE,
                nowhere,
                "proxy.access-logs");
    }

    private void assign(RouteRule rule, ProgramBuilder into) {
        String name = "route-" + rule.number();
        Map<String, List<String>> parameters = new LinkedHashMap<>();
        parameters.put("from", List.of(Globs.from(rule.when().path())));
        parameters.put("name", List.of(name));
        into.add(
                DEFAULT,
                Stage.NAME_TRANS,
                "assign-name",
                parameters,
                rule.when(),
                ProgramBuilder.Common.NONE,
                place(rule.number()),
                "proxy.routes[" + rule.number() + "]");
    }

    /**
     * The forms of targets that a route answers: absolute ones belong to the forward proxy, unless the route names
     * hosts.
     */
    private static Set<TargetForm> forms(RouteConfig route, boolean forwarding) {
        if (route.connect().enabled()) {
            return Set.of(TargetForm.AUTHORITY);
        }
        if (route.forward()) {
            return Set.of(TargetForm.ABSOLUTE);
        }
        Set<TargetForm> forms = new TreeSet<>(Set.of(TargetForm.ORIGIN, TargetForm.ASTERISK));
        if (!forwarding || !route.hosts().isEmpty()) {
            forms.add(TargetForm.ABSOLUTE);
        }
        return forms;
    }
}
