package io.weir.server.migrate.draft;

import io.weir.proxy.program.match.LiteralPath;
import io.weir.proxy.program.match.PathMatch;
import io.weir.proxy.program.match.Patterns;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Routes of a language in which the first one that matches applies, brought into Weir's order, in which the most specific
 * one does. Where both cannot be had, the later route refuses. Stateless.
 */
public final class RouteOrder {
    private static final String META = "\\*?[(|)$~^.+{";

    private RouteOrder() {}

    /**
     * The routes in an order in which the first that matches in the source is also the one that Weir chooses.
     *
     * @param routes in the source's order
     */
    public static List<RouteDraft> firstMatch(List<RouteDraft> routes, Findings findings) {
        List<RouteDraft> kept = new ArrayList<>();
        for (RouteDraft route : routes) {
            RouteDraft before = kept.stream()
                    .filter(k -> !apart(k, route) && covers(k.when, route.when))
                    .findFirst()
                    .orElse(null);
            if (before == null) {
                kept.add(route);
            } else if (!route.when.equals(before.when) || !same(route, before)) {
                findings.note(
                        route.at, "never applies: " + Findings.where(before.at) + " matches all of its requests first");
            }
        }
        if (inverted(kept)) {
            kept.forEach(RouteOrder::asPattern);
        }
        for (int i = 0; i < kept.size(); i++) {
            for (int j = i + 1; j < kept.size(); j++) {
                settle(kept.get(i), kept.get(j), findings);
            }
        }
        return kept;
    }

    private static boolean same(RouteDraft a, RouteDraft b) {
        return a.at.equals(b.at);
    }

    private static boolean inverted(List<RouteDraft> routes) {
        for (int i = 0; i < routes.size(); i++) {
            for (int j = i + 1; j < routes.size(); j++) {
                if (preferred(routes.get(i), routes.get(j))) {
                    return true;
                }
            }
        }
        return false;
    }

    /** The earlier one must apply where both match. */
    private static void settle(RouteDraft first, RouteDraft later, Findings findings) {
        if (later.refuses() || !preferred(first, later)) {
            return;
        }
        findings.left(
                later.at,
                "route " + later.when.path(),
                "in Weir it would be used before that of " + Findings.where(first.at)
                        + ", which the source tries first; it refuses its requests instead");
        if (later.body.has("forward") && later.when.hosts().isEmpty()) {
            // without a host it would not match targets in absolute form
            later.when = later.when.hosts(List.of("*"));
        }
        later.close();
    }

    /** Whether Weir uses the later one for requests that both match. */
    private static boolean preferred(RouteDraft first, RouteDraft later) {
        return !apart(first, later) && overlap(first.when, later.when) && prefers(later.when, first.when);
    }

    /** Targets in absolute form are for routes with forward, and for others that name hosts. */
    private static boolean apart(RouteDraft a, RouteDraft b) {
        boolean forward = a.body.has("forward");
        return forward != b.body.has("forward")
                && (forward ? b : a).when.hosts().isEmpty();
    }

    /** As a pattern, so that the file's order decides; "/" stays, as it is behind all others. */
    private static void asPattern(RouteDraft route) {
        if (route.movesPath() || route.when.path().equals("/")) {
            return;
        }
        String path = route.when.path();
        switch (route.when.match()) {
            case PREFIX -> route.when = route.when.path(PathMatch.REGEX, prefixRegex(path));
            case EXACT -> route.when = route.when.path(PathMatch.REGEX, quote(path));
            default -> {}
        }
    }

    /** A regular expression for a prefix of whole segments. */
    public static String prefixRegex(String path) {
        return path.endsWith("/") ? quote(path) + ".*" : quote(path) + "(/.*)?";
    }

    /** A text as a regular expression that matches it alone. */
    public static String quote(String text) {
        return LiteralPath.of(text).replaceAll("[^A-Za-z0-9/_%~@:,;=&!'\" -]", "\\\\$0");
    }

    /**
     * Whether Weir uses {@code a} where both match and {@code b} stands before it.
     *
     */
    private static boolean prefers(RouteDraft.When a, RouteDraft.When b) {
        if ((a.virtualServer() == null) != (b.virtualServer() == null)) {
            return a.virtualServer() != null;
        }
        if (!hosts(a).equals(hosts(b))) {
            return !hosts(a).isEmpty();
        }
        if (rank(a) != rank(b)) {
            return rank(a) < rank(b);
        }
        if (a.match() == PathMatch.PREFIX && a.path().length() != b.path().length()) {
            return a.path().length() > b.path().length();
        }
        return !a.methods().isEmpty() && b.methods().isEmpty();
    }

    /** The hosts; empty: every one. */
    private static List<String> hosts(RouteDraft.When when) {
        return when.hosts().contains("*") ? List.of() : when.hosts();
    }

    private static int rank(RouteDraft.When when) {
        return switch (when.match()) {
            case EXACT -> 0;
            case WILDCARD, REGEX -> 1;
            case PREFIX -> 2;
        };
    }

    /** Whether there may be a request that both match. */
    public static boolean overlap(RouteDraft.When a, RouteDraft.When b) {
        boolean otherServer = a.virtualServer() != null
                && b.virtualServer() != null
                && !a.virtualServer().equals(b.virtualServer());
        return !otherServer
                && hostsOverlap(a.hosts(), b.hosts())
                && (a.methods().isEmpty()
                        || b.methods().isEmpty()
                        || a.methods().stream().anyMatch(b.methods()::contains))
                && pathsOverlap(a, b);
    }

    private static boolean hostsOverlap(List<String> a, List<String> b) {
        return a.isEmpty()
                || b.isEmpty()
                || a.stream().anyMatch(x -> b.stream().anyMatch(y -> hostCovers(x, y) || hostCovers(y, x)));
    }

    private static boolean hostCovers(String pattern, String host) {
        return pattern.equalsIgnoreCase(host)
                || pattern.equals("*")
                || (pattern.startsWith("*.")
                        && host.regionMatches(
                                true,
                                Math.max(0, host.length() - pattern.length() + 1),
                                pattern,
                                1,
                                pattern.length() - 1)
                        && host.length() >= pattern.length());
    }

    private static boolean pathsOverlap(RouteDraft.When a, RouteDraft.When b) {
        boolean patternA = rank(a) == 1;
        boolean patternB = rank(b) == 1;
        if (!patternA && !patternB) {
            return pathCovers(a, b) || pathCovers(b, a);
        }
        if (patternA != patternB && (a.match() == PathMatch.EXACT || b.match() == PathMatch.EXACT)) {
            return patternA ? pathCovers(a, b) : pathCovers(b, a);
        }
        String x = head(a);
        String y = head(b);
        return x.startsWith(y) || y.startsWith(x);
    }

    /** The text that all matching paths begin with. */
    private static String head(RouteDraft.When when) {
        String path = when.path();
        if (rank(when) != 1) {
            return path;
        }
        int n = path.startsWith("^") ? 1 : 0;
        int from = n;
        while (n < path.length() && META.indexOf(path.charAt(n)) < 0) {
            n++;
        }
        // what is repeated or an alternative may be absent
        boolean optional = path.indexOf('|') >= 0 || path.indexOf('?') >= 0 || path.indexOf('*') >= 0;
        int to = optional && n > from && n < path.length() && when.match() == PathMatch.REGEX ? n - 1 : n;
        return path.indexOf('|') >= 0 ? "" : path.substring(from, to);
    }

    /**
     * Whether each request of {@code b} is one of {@code a}; false if that is not certain.
     *
     */
    public static boolean covers(RouteDraft.When a, RouteDraft.When b) {
        return (a.virtualServer() == null || a.virtualServer().equals(b.virtualServer()))
                && (hosts(a).isEmpty()
                        || (!hosts(b).isEmpty()
                                && b.hosts().stream()
                                        .allMatch(h -> a.hosts().stream().anyMatch(p -> hostCovers(p, h)))))
                && (a.methods().isEmpty()
                        || (!b.methods().isEmpty() && Set.copyOf(a.methods()).containsAll(b.methods())))
                && pathCovers(a, b);
    }

    private static boolean pathCovers(RouteDraft.When a, RouteDraft.When b) {
        if (a.match() == b.match() && a.path().equals(b.path())) {
            return true;
        }
        if (a.match() == PathMatch.PREFIX) {
            boolean slash = a.path().endsWith("/");
            return a.path().equals("/")
                    || (rank(b) != 1
                            && (slash ? b.path().startsWith(a.path()) : (b.path() + "/").startsWith(a.path() + "/")));
        }
        if (b.match() == PathMatch.EXACT && rank(a) == 1) {
            return Patterns.matches(Patterns.parse(a.match(), a.path()), b.path());
        }
        return false;
    }
}
