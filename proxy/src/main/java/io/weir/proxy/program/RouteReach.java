package io.weir.proxy.program;

import io.weir.base.ConfigNode;
import io.weir.base.ConfigProblem;
import io.weir.http.TargetForm;
import io.weir.proxy.program.ServerReach.Arrival;
import io.weir.proxy.program.config.RouteConfig;
import io.weir.proxy.program.match.HostPattern;
import io.weir.proxy.program.match.PathCover;
import io.weir.proxy.program.match.PathMatch;
import io.weir.proxy.program.match.RuleCondition;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Finds routes that no request can ever match: other routes take all of their requests, no request has their path, or
 * their hosts are not those of their virtual server. Uncertain cases are not reported. Used once.
 */
final class RouteReach {
    /** A method that no rule names. */
    private static final String ANY_METHOD = "";

    private static final String CONNECT = "CONNECT";

    private static final Set<PathMatch> LITERAL = EnumSet.of(PathMatch.PREFIX, PathMatch.EXACT);

    /** Bound on automaton steps: a few tenths of a second at most. */
    private static final long STEPS = 200_000_000;

    private final List<RouteRule> all;
    private final IdentityHashMap<RouteRule, Integer> places = new IdentityHashMap<>();
    private final Set<Arrival> arrivals;
    private final Map<String, List<Arrival>> byHost = new HashMap<>();
    private final PathCover cover = new PathCover(STEPS);

    private RouteReach(List<RouteRule> all, Set<Arrival> arrivals) {
        this.all = all;
        this.arrivals = arrivals;
        all.forEach(r -> places.put(r, places.size()));
        arrivals.forEach(
                a -> byHost.computeIfAbsent(a.host(), _ -> new ArrayList<>()).add(a));
    }

    /**
     * The routes that never match, with the reason.
     *
     * @param rules of all routes, in the order in which they are tried
     * @param servers determines which hosts select which virtual server
     */
    static List<ConfigProblem> never(
            List<RouteConfig> routes, List<RouteRule> rules, ServerReach servers, IntFunction<ConfigNode.Place> place) {
        Map<Integer, List<RouteRule>> byRoute = new LinkedHashMap<>();
        rules.forEach(
                r -> byRoute.computeIfAbsent(r.number(), _ -> new ArrayList<>()).add(r));
        Set<String> hosts = new LinkedHashSet<>();
        rules.forEach(r -> hosts.addAll(r.when().hosts()));
        RouteReach reach = new RouteReach(rules, servers.arrivals(hosts));
        List<ConfigProblem> found = new ArrayList<>();
        for (int i = 0; i < routes.size(); i++) {
            List<RouteRule> own = byRoute.getOrDefault(i, List.of());
            String why = reach.path(routes.get(i));
            if (why == null) {
                why = methods(own);
            }
            if (why == null) {
                why = servers.never(routes.get(i).virtualServer(), routes.get(i).hosts());
            }
            if (why == null) {
                why = reach.taken(own);
            }
            if (why != null) {
                found.add(new ConfigProblem(place.apply(i), "proxy.routes[" + i + "]", "never matches: " + why));
            }
        }
        return found;
    }

    private @Nullable String path(RouteConfig route) {
        String path = route.path();
        if (!LITERAL.contains(route.pathMatch())) {
            return !cover.matchesNothing(new RuleCondition.PathRule(route.pathMatch(), path))
                    ? null
                    : "no path matches \"" + path
                            + "\": each begins with a slash, and the pattern must match the whole path";
        }
        if (path.indexOf('?') >= 0 || path.indexOf('#') >= 0) {
            return "a path ends before the question mark or fragment, \"" + path + "\" has more";
        }
        return null;
    }

    /** Only CONNECT opens a tunnel, and CONNECT does nothing else. */
    private static @Nullable String methods(List<RouteRule> own) {
        if (own.isEmpty() || own.getFirst().when().methods().isEmpty()) {
            return null;
        }
        Set<String> methods = own.getFirst().when().methods();
        if (own.getFirst().when().forms().equals(Set.of(TargetForm.AUTHORITY))) {
            return methods.contains(CONNECT)
                    ? null
                    : "a route with connect answers only the method CONNECT, not " + methods;
        }
        return methods.equals(Set.of(CONNECT)) ? "only a route with connect answers the method CONNECT" : null;
    }

    /** Whether earlier rules, one or several together, take all requests of this route's rules. */
    private @Nullable String taken(List<RouteRule> own) {
        Set<Integer> by = new TreeSet<>();
        for (RouteRule rule : own) {
            List<Arrival> arrivals = arrivals(rule);
            List<RouteRule> takers = takers(rule, arrivals);
            if (takers.isEmpty() && !arrivals.isEmpty()) {
                return null;
            }
            takers.forEach(r -> by.add(r.number()));
        }
        if (by.isEmpty()) {
            return null;
        }
        String names = by.stream().map(n -> "proxy.routes[" + n + "]").collect(Collectors.joining(" and "));
        return names + (by.size() == 1 ? " takes" : " together take") + " all of its requests before it";
    }

    /**
     * The hosts and virtual servers that a rule matches; first those that it names itself: most rules match only them.
     */
    private List<Arrival> arrivals(RouteRule rule) {
        String named = rule.when().hosts().isEmpty() ? "*" : rule.when().hosts().getFirst();
        String host = ServerReach.exampleOf(named);
        List<Arrival> found = new ArrayList<>();
        byHost.getOrDefault(host, List.of()).stream()
                .filter(a -> isFor(rule.when(), a))
                .forEach(found::add);
        if (named.startsWith("*")) {
            arrivals.stream()
                    .filter(a -> !a.host().equals(host) && isFor(rule.when(), a))
                    .forEach(found::add);
        }
        return found;
    }

    /** Compares everything except method, form and path. */
    private static boolean isFor(RuleCondition when, Arrival arrival) {
        return (when.virtualServer() == null || when.virtualServer().equals(arrival.server()))
                && (when.hosts().isEmpty() || HostPattern.matches(when.hosts().getFirst(), arrival.host()));
    }

    /**
     * The earlier rules that leave nothing to a rule; none if something may be left. Most cases are decided by one
     * example.
     */
    private List<RouteRule> takers(RouteRule rule, List<Arrival> arrivals) {
        RuleCondition of = rule.when();
        String example = cover.example(of.path());
        if (example == null || arrivals.isEmpty()) {
            return List.of();
        }
        List<RouteRule> before = all.subList(0, Objects.requireNonNull(places.get(rule))).stream()
                .filter(r -> r.number() != rule.number() && isFor(r.when(), arrivals.getFirst()))
                .toList();
        List<RouteRule> likely = before.stream()
                .filter(r -> cover.matches(r.when().path(), example))
                .toList();
        for (RouteRule r : likely) {
            if (covered(of, List.of(r)) && arrivals.stream().allMatch(a -> isFor(r.when(), a))) {
                return List.of(r);
            }
        }
        Set<RouteRule> takers = new LinkedHashSet<>(likely.isEmpty() ? List.of() : together(of, before));
        for (int i = 1; i < arrivals.size() && !takers.isEmpty(); i++) {
            Arrival arrival = arrivals.get(i);
            if (takers.stream().allMatch(r -> isFor(r.when(), arrival))) {
                continue;
            }
            List<RouteRule> here = all.subList(0, Objects.requireNonNull(places.get(rule))).stream()
                    .filter(r -> r.number() != rule.number() && isFor(r.when(), arrival))
                    .toList();
            List<RouteRule> more = together(of, here);
            takers.addAll(more);
            if (more.isEmpty()) {
                return List.of();
            }
        }
        return List.copyOf(takers);
    }

    private List<RouteRule> together(RuleCondition of, List<RouteRule> before) {
        List<RouteRule> concerned = before.stream()
                .filter(r -> concerned(r.when().path(), of.path()))
                .toList();
        return covered(of, concerned) ? needed(of, concerned) : List.of();
    }

    private boolean concerned(RuleCondition.@Nullable PathRule a, RuleCondition.@Nullable PathRule of) {
        return a == null || !LITERAL.contains(a.match()) || cover.matches(of, a.text());
    }

    /** Removes the rules that make no difference. */
    private List<RouteRule> needed(RuleCondition of, List<RouteRule> by) {
        List<RouteRule> left = new ArrayList<>(by);
        for (RouteRule r : by) {
            List<RouteRule> without = left.stream().filter(l -> !l.equals(r)).toList();
            if (covered(of, without)) {
                left = without;
            }
        }
        return left;
    }

    /** Whether other rules take every path of a rule, for each of its methods and forms. */
    private boolean covered(RuleCondition of, List<RouteRule> by) {
        Set<String> methods = of.methods().isEmpty() ? Set.of(ANY_METHOD) : of.methods();
        Set<TargetForm> forms = new TreeSet<>(of.forms());
        if (forms.size() > 1) {
            // "OPTIONS *" of HTTP has no path, so routes are not written for it
            forms.remove(TargetForm.ASTERISK);
        }
        for (TargetForm form : forms) {
            for (String method : form == TargetForm.AUTHORITY ? Set.of(CONNECT) : methods) {
                if (form != TargetForm.AUTHORITY && method.equals(CONNECT)) {
                    continue;
                }
                List<RuleCondition.@Nullable PathRule> paths = new ArrayList<>();
                for (RouteRule r : by) {
                    if ((r.when().methods().isEmpty() || r.when().methods().contains(method))
                            && (r.when().forms().isEmpty() || r.when().forms().contains(form))
                            && (form != TargetForm.AUTHORITY || LITERAL.contains(match(r.when())))) {
                        paths.add(r.when().path());
                    }
                }
                if (paths.isEmpty() || !cover.covered(of.path(), paths)) {
                    return false;
                }
            }
        }
        return true;
    }

    private static PathMatch match(RuleCondition when) {
        RuleCondition.PathRule path = when.path();
        return path == null ? PathMatch.PREFIX : path.match();
    }
}
