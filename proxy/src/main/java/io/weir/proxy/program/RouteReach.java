package io.weir.proxy.program;

import io.weir.base.ConfigNode;
import io.weir.base.ConfigProblem;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Finds routes that no request can ever match: another takes all that they would, their path is none that a request has, or
 * their hosts are not those of their virtual server. What is not surely so is not told. Stateless.
 */
final class RouteReach {
    private RouteReach() {}

    /**
     * Those that never match, with the reason.
     *
     * @param rules of all routes, in the order in which they are tried
     * @param servers knows what hosts come to which virtual server
     */
    static List<ConfigProblem> never(
            List<RouteConfig> routes, List<RouteRule> rules, ServerReach servers, IntFunction<ConfigNode.Place> place) {
        Map<Integer, List<RouteRule>> byRoute = new LinkedHashMap<>();
        rules.forEach(
                r -> byRoute.computeIfAbsent(r.number(), _ -> new ArrayList<>()).add(r));
        List<ConfigProblem> found = new ArrayList<>();
        for (int i = 0; i < routes.size(); i++) {
            String why = path(routes.get(i));
            if (why == null) {
                why = servers.never(routes.get(i).virtualServer(), routes.get(i).hosts());
            }
            if (why == null) {
                why = taken(byRoute.getOrDefault(i, List.of()), rules);
            }
            if (why != null) {
                found.add(new ConfigProblem(place.apply(i), "proxy.routes[" + i + "]", "never matches: " + why));
            }
        }
        return found;
    }

    private static @Nullable String path(RouteConfig route) {
        String path = route.path();
        if (route.pathMatch() != PathMatch.PREFIX && route.pathMatch() != PathMatch.EXACT) {
            return null;
        }
        if (path.indexOf('?') >= 0 || path.indexOf('#') >= 0) {
            return "a path is what stands before the question mark, \"" + path + "\" has more";
        }
        return null;
    }

    /** All of its rules are behind such as take the same. */
    private static @Nullable String taken(List<RouteRule> own, List<RouteRule> all) {
        String by = null;
        for (RouteRule rule : own) {
            RouteRule before = all.subList(0, all.indexOf(rule)).stream()
                    .filter(r -> r.number() != rule.number() && covers(r.when(), rule.when()))
                    .findFirst()
                    .orElse(null);
            if (before == null) {
                return null;
            }
            by = "proxy.routes[" + before.number() + "]";
        }
        return by == null ? null : by + " takes all of its requests before it";
    }

    private static boolean covers(RuleCondition a, RuleCondition b) {
        return (a.virtualServer() == null || Objects.equals(a.virtualServer(), b.virtualServer()))
                && (a.hosts().isEmpty() || a.hosts().equals(b.hosts()))
                && (a.methods().isEmpty()
                        || (!b.methods().isEmpty() && a.methods().containsAll(b.methods())))
                && (a.forms().isEmpty() || (!b.forms().isEmpty() && a.forms().containsAll(b.forms())))
                && coversPath(a.path(), b.path());
    }

    private static boolean coversPath(RuleCondition.@Nullable PathRule a, RuleCondition.@Nullable PathRule b) {
        if (a == null || a.equals(b)) {
            return true;
        }
        if (a.match() == PathMatch.PREFIX && a.text().equals("/")) {
            return true;
        }
        String head = a.match() == PathMatch.WILDCARD
                ? head(a.text(), "*")
                : a.match() == PathMatch.REGEX ? head(a.text(), ".*") : null;
        boolean literal = b != null && (b.match() == PathMatch.PREFIX || b.match() == PathMatch.EXACT);
        return head != null
                && b != null
                && (head.isEmpty() || (literal && b.text().startsWith(head)));
    }

    /** What stands before "anything" at the end of a pattern, where that is all that is special in it; else null. */
    private static @Nullable String head(String pattern, String anything) {
        String head = pattern.endsWith(anything) ? pattern.substring(0, pattern.length() - anything.length()) : null;
        return head != null && head.matches("[A-Za-z0-9_/-]*") ? head : null;
    }
}
