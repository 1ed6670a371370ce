package io.weir.proxy.program;

import io.weir.base.ConfigNode;
import io.weir.base.ConfigProblem;
import io.weir.http.TargetForm;
import io.weir.proxy.program.config.RouteConfig;
import io.weir.proxy.program.match.PathCover;
import io.weir.proxy.program.match.PathMatch;
import io.weir.proxy.program.match.RuleCondition;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Finds routes that no request can ever match: others take all that they would, their path is none that a request has, or
 * their hosts are not those of their virtual server. What is not surely so is not reported. Used once.
 */
final class RouteReach {
    /** A method that no rule names. */
    private static final String ANY_METHOD = "";

    private static final Set<PathMatch> LITERAL = EnumSet.of(PathMatch.PREFIX, PathMatch.EXACT);

    /** Steps of automata: some tenths of a second at most. */
    private static final long STEPS = 200_000_000;

    private final List<RouteRule> all;
    private final PathCover cover = new PathCover(STEPS);

    private RouteReach(List<RouteRule> all) {
        this.all = all;
    }

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
        RouteReach reach = new RouteReach(rules);
        List<ConfigProblem> found = new ArrayList<>();
        for (int i = 0; i < routes.size(); i++) {
            String why = reach.path(routes.get(i));
            if (why == null) {
                why = servers.never(routes.get(i).virtualServer(), routes.get(i).hosts());
            }
            if (why == null) {
                why = reach.taken(byRoute.getOrDefault(i, List.of()));
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
                            + "\": each begins with a slash, and the pattern is for the whole of it";
        }
        if (path.indexOf('?') >= 0 || path.indexOf('#') >= 0) {
            return "a path is what stands before the question mark, \"" + path + "\" has more";
        }
        return null;
    }

    /** All of its rules are behind such as take the same, one of them or several together. */
    private @Nullable String taken(List<RouteRule> own) {
        Set<Integer> by = new TreeSet<>();
        for (RouteRule rule : own) {
            List<RouteRule> takers = takers(rule);
            if (takers.isEmpty()) {
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

    /** Those before a rule that leave it nothing; none when something may be left. Most are settled by one example. */
    private List<RouteRule> takers(RouteRule rule) {
        RuleCondition of = rule.when();
        String example = cover.example(of.path());
        List<RouteRule> before = all.subList(0, all.indexOf(rule)).stream()
                .filter(r -> r.number() != rule.number() && alike(r.when(), of))
                .toList();
        List<RouteRule> likely = before.stream()
                .filter(r -> example != null && cover.matches(r.when().path(), example))
                .toList();
        for (RouteRule r : likely) {
            if (covered(of, List.of(r))) {
                return List.of(r);
            }
        }
        List<RouteRule> concerned = before.stream()
                .filter(r -> concerned(r.when().path(), of.path()))
                .toList();
        return !likely.isEmpty() && concerned.size() > 1 && covered(of, concerned) ? needed(of, concerned) : List.of();
    }

    private boolean concerned(RuleCondition.@Nullable PathRule a, RuleCondition.@Nullable PathRule of) {
        return a == null || !LITERAL.contains(a.match()) || cover.matches(of, a.text());
    }

    /** Without those that change nothing. */
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

    /** Whether the first could take requests that the second is for, by what is not method, form or path. */
    private static boolean alike(RuleCondition a, RuleCondition b) {
        return (a.virtualServer() == null || Objects.equals(a.virtualServer(), b.virtualServer()))
                && (a.hosts().isEmpty() || a.hosts().equals(b.hosts()));
    }

    /** Whether for each method and form of a rule, others take each of its paths. */
    private boolean covered(RuleCondition of, List<RouteRule> by) {
        Set<String> methods = of.methods().isEmpty() ? Set.of(ANY_METHOD) : of.methods();
        Set<TargetForm> forms = new TreeSet<>(of.forms());
        if (forms.size() > 1) {
            // "OPTIONS *" of HTTP, which has no path, is not what a route is written for
            forms.remove(TargetForm.ASTERISK);
        }
        for (TargetForm form : forms) {
            for (String method : methods) {
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
