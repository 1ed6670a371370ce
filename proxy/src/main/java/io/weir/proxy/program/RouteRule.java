package io.weir.proxy.program;

import io.weir.http.TargetForm;
import io.weir.proxy.program.config.RouteConfig;
import io.weir.proxy.program.match.HostPattern;
import io.weir.proxy.program.match.PathMatch;
import io.weir.proxy.program.match.RuleCondition;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The match of a route for one of its hosts. Immutable.
 *
 * @param number position of the route in the file, from 0
 * @param when the condition
 */
record RouteRule(int number, RuleCondition when) {
    /** The most specific first: the order documented in {@link RouteConfig}. */
    static final Comparator<RouteRule> ORDER = Comparator.<RouteRule>comparingInt(
                    r -> r.when.virtualServer() == null ? 1 : 0)
            .thenComparingInt(r -> hostRank(r.when.hosts()))
            .thenComparingInt(r -> -hostLength(r.when.hosts()))
            .thenComparingInt(r -> pathRank(r.when.path()))
            .thenComparingInt(r -> -prefixLength(r.when.path()))
            .thenComparingInt(r -> r.when.methods().isEmpty() ? 1 : 0)
            .thenComparingInt(RouteRule::number);

    /** Adds a rule for each host of the route. */
    static void of(RouteConfig route, int number, Set<TargetForm> forms, List<RouteRule> into) {
        Set<String> methods = new TreeSet<>(route.methods());
        if (methods.contains("GET")) {
            methods.add("HEAD");
        }
        List<String> hosts = route.hosts().isEmpty() ? List.of("*") : route.hosts();
        for (String host : hosts) {
            into.add(new RouteRule(
                    number,
                    new RuleCondition(
                            host.equals("*") ? List.of() : List.of(HostPattern.of(host)),
                            route.virtualServer(),
                            new RuleCondition.PathRule(route.pathMatch(), route.path()),
                            methods,
                            forms)));
        }
    }

    private static int hostRank(List<String> hosts) {
        if (hosts.isEmpty()) {
            return 2;
        }
        return hosts.getFirst().startsWith("*.") ? 1 : 0;
    }

    private static int hostLength(List<String> hosts) {
        return hosts.isEmpty() || !hosts.getFirst().startsWith("*.")
                ? 0
                : hosts.getFirst().length();
    }

    private static int pathRank(RuleCondition.@Nullable PathRule path) {
        if (path == null) {
            return 3;
        }
        return switch (path.match()) {
            case EXACT -> 0;
            case WILDCARD, REGEX -> 1;
            case PREFIX -> 2;
        };
    }

    private static int prefixLength(RuleCondition.@Nullable PathRule path) {
        return path != null && path.match() == PathMatch.PREFIX ? path.text().length() : 0;
    }
}
