package io.weir.server.migrate.sun;

import io.weir.proxy.program.match.PathMatch;
import io.weir.server.migrate.draft.Findings;
import io.weir.server.migrate.draft.RouteDraft;
import io.weir.server.migrate.draft.RouteOrder;
import io.weir.server.migrate.draft.Section;
import io.weir.server.migrate.draft.YamlDraft;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Routes of which the first that matches is the right one, written so that it is also the one that Weir prefers. Stateless.
 */
final class DecisionList {
    private DecisionList() {}

    /**
     * The routes of all classes in one list.
     *
     * @param classes by virtual server and host, the most specific first, the one for any of both last
     * @param forwarding some of them forward
     */
    static List<RouteDraft> ordered(List<List<RouteDraft>> classes, boolean forwarding) {
        List<List<RouteDraft>> kept = new ArrayList<>();
        for (List<RouteDraft> routes : classes) {
            kept.add(needed(routes));
        }
        List<RouteDraft> all = new ArrayList<>();
        boolean named = kept.size() > 1;
        for (int i = 0; i < kept.size(); i++) {
            List<RouteDraft> routes = kept.get(i);
            boolean last = i == kept.size() - 1;
            if (last) {
                // what is left has no route, unless a less specific one would match
                while (!routes.isEmpty() && routes.getLast().unserved && plain(routes.getLast())) {
                    routes.removeLast();
                }
            }
            if (!last && same(routes, kept.getLast()) && named && lessSpecificAreApart(kept, i)) {
                continue;
            }
            all.addAll(preferred(forwarding ? bothForms(routes, last) : routes));
        }
        return all;
    }

    private static boolean plain(RouteDraft r) {
        return r.body.entries().size() == 1;
    }

    /** Whether the classes between this one and the last are for other requests. */
    private static boolean lessSpecificAreApart(List<List<RouteDraft>> classes, int of) {
        RouteDraft.When a = any(classes.get(of).getFirst().when);
        for (int i = of + 1; i < classes.size() - 1; i++) {
            if (!classes.get(i).isEmpty()
                    && RouteOrder.overlap(a, any(classes.get(i).getFirst().when))) {
                return false;
            }
        }
        return true;
    }

    private static RouteDraft.When any(RouteDraft.When when) {
        return new RouteDraft.When(when.virtualServer(), when.hosts(), PathMatch.PREFIX, "/", List.of());
    }

    private static boolean same(List<RouteDraft> a, List<RouteDraft> b) {
        if (a.size() != b.size()) {
            return false;
        }
        for (int i = 0; i < a.size(); i++) {
            RouteDraft.When x = a.get(i).when;
            RouteDraft.When y = b.get(i).when;
            boolean match = x.match() == y.match()
                    && x.path().equals(y.path())
                    && x.methods().equals(y.methods());
            if (!match || !written(a.get(i)).equals(written(b.get(i)))) {
                return false;
            }
        }
        return true;
    }

    /** Without routes that a later one says as well. */
    private static List<RouteDraft> needed(List<RouteDraft> routes) {
        List<String> texts = routes.stream().map(DecisionList::written).toList();
        List<PathTest> tests = routes.stream().map(r -> test(r.when)).toList();
        List<RouteDraft> kept = new ArrayList<>();
        for (int i = 0; i < routes.size(); i++) {
            if (!said(routes, texts, tests, i)) {
                kept.add(routes.get(i));
            }
        }
        return kept;
    }

    private static boolean said(List<RouteDraft> routes, List<String> texts, List<PathTest> tests, int i) {
        RouteDraft.When when = routes.get(i).when;
        for (int j = i + 1; j < routes.size(); j++) {
            RouteDraft.When later = routes.get(j).when;
            boolean equal = texts.get(i).equals(texts.get(j));
            boolean overlap = methodsOverlap(when, later) && !tests.get(i).apart(tests.get(j));
            if (overlap && !(equal && movable(routes.get(i), routes.get(j)))) {
                return false;
            }
            if (equal && tests.get(j).covers(tests.get(i)) && allMethods(later, when)) {
                return true;
            }
        }
        return false;
    }

    /** What depends on the matched path is the same only for the same path. */
    private static boolean movable(RouteDraft a, RouteDraft b) {
        return !a.movesPath() || a.when.path().equals(b.when.path());
    }

    private static String written(RouteDraft r) {
        return YamlDraft.text(r.body, "", new Findings()).replaceAll("#.*", "");
    }

    private static PathTest test(RouteDraft.When when) {
        return PathTest.of(when.match(), when.path());
    }

    private static Set<String> methods(RouteDraft.When when) {
        Set<String> all = new LinkedHashSet<>(when.methods());
        if (all.contains("GET")) {
            all.add("HEAD");
        }
        return all;
    }

    private static boolean allMethods(RouteDraft.When of, RouteDraft.When those) {
        return of.methods().isEmpty()
                || (!those.methods().isEmpty() && methods(of).containsAll(methods(those)));
    }

    private static boolean methodsOverlap(RouteDraft.When a, RouteDraft.When b) {
        return a.methods().isEmpty()
                || b.methods().isEmpty()
                || methods(a).stream().anyMatch(methods(b)::contains);
    }

    private static boolean overlap(RouteDraft.When a, RouteDraft.When b) {
        return methodsOverlap(a, b) && !test(a).apart(test(b));
    }

    /**
     * A route that forwards is for targets in absolute form only, one without hosts for the others only: each gets what
     * it lacks.
     */
    private static List<RouteDraft> bothForms(List<RouteDraft> routes, boolean last) {
        List<RouteDraft> all = new ArrayList<>();
        for (int i = 0; i < routes.size(); i++) {
            RouteDraft r = routes.get(i);
            all.add(r);
            if (!r.body.has("forward")) {
                r.when = r.when.hosts().isEmpty() ? r.when.hosts(List.of("*")) : r.when;
                continue;
            }
            boolean taken = routes.subList(i + 1, routes.size()).stream()
                    .anyMatch(later -> !later.body.has("forward") && overlap(r.when, later.when));
            if (taken || !last) {
                RouteDraft other = new RouteDraft(r.when, r.at);
                other.body
                        .section("respond")
                        .put("status", "404")
                        .put("body", "Nothing is configured for this address.\n");
                all.add(other);
            }
        }
        return all;
    }

    private static List<RouteDraft> preferred(List<RouteDraft> routes) {
        if (!inverted(routes)) {
            return routes;
        }
        for (RouteDraft r : routes) {
            asPattern(r);
        }
        // of patterns, Weir prefers one that names methods: also the copies that are made of later ones for that reason
        List<Set<String>> named = new ArrayList<>(Collections.nCopies(routes.size(), Set.of()));
        for (int i = routes.size() - 1; i >= 0; i--) {
            RouteDraft.When when = routes.get(i).when;
            Set<String> methods = new LinkedHashSet<>(when.methods());
            for (int j = i + 1; when.methods().isEmpty() && j < routes.size(); j++) {
                if (overlap(when, routes.get(j).when)) {
                    methods.addAll(named.get(j));
                }
            }
            named.set(i, methods);
        }
        List<RouteDraft> all = new ArrayList<>();
        for (int i = 0; i < routes.size(); i++) {
            RouteDraft r = routes.get(i);
            if (r.when.methods().isEmpty() && !named.get(i).isEmpty()) {
                RouteDraft copy = new RouteDraft(r.when.methods(List.copyOf(named.get(i))), r.at);
                copy.body = r.body;
                all.add(copy);
            }
            all.add(r);
        }
        return all;
    }

    private static boolean inverted(List<RouteDraft> routes) {
        List<PathTest> tests = routes.stream().map(r -> test(r.when)).toList();
        for (int i = 0; i < routes.size(); i++) {
            for (int j = i + 1; j < routes.size(); j++) {
                RouteDraft.When first = routes.get(i).when;
                RouteDraft.When later = routes.get(j).when;
                if (prefers(later, first)
                        && methodsOverlap(first, later)
                        && !tests.get(i).apart(tests.get(j))) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Whether Weir uses {@code a} where both match, although {@code b} stands before it. */
    private static boolean prefers(RouteDraft.When a, RouteDraft.When b) {
        if (rank(a) != rank(b)) {
            return rank(a) < rank(b);
        }
        if (a.match() == PathMatch.PREFIX && a.path().length() != b.path().length()) {
            return a.path().length() > b.path().length();
        }
        return !a.methods().isEmpty() && b.methods().isEmpty();
    }

    private static int rank(RouteDraft.When when) {
        return switch (when.match()) {
            case EXACT -> 0;
            case WILDCARD, REGEX -> 1;
            case PREFIX -> 2;
        };
    }

    private static void asPattern(RouteDraft r) {
        if (r.movesPath()) {
            Section other = r.asPattern;
            r.body.remove("rewrite-path");
            r.body.remove("redirect");
            if (other != null) {
                r.body.list("functions").addAll(other.list("functions"));
            }
        }
        String path = r.when.path();
        switch (r.when.match()) {
            case PREFIX ->
                r.when = r.when.path(PathMatch.REGEX, path.equals("/") ? "/.*" : RouteOrder.prefixRegex(path));
            case EXACT -> r.when = r.when.path(PathMatch.REGEX, RouteOrder.quote(path));
            default -> {}
        }
    }
}
