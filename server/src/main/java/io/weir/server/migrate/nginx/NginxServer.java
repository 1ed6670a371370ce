package io.weir.server.migrate.nginx;

import io.weir.proxy.program.match.PathMatch;
import io.weir.server.migrate.draft.Findings;
import io.weir.server.migrate.draft.RouteDraft;
import io.weir.server.migrate.draft.RouteOrder;
import io.weir.server.migrate.nginx.NginxParser.Directive;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The locations of a server as routes. nginx tries exact locations, then expressions in the order of the file, then the
 * longest prefix, as Weir does; its prefixes also match within a segment, for which a second route stands. Used once.
 */
final class NginxServer {
    private final Findings findings;
    private final NginxUpstreams upstreams;
    private final NginxTotals totals;
    private final Directive server;
    private final NginxScope scope;
    private final @Nullable String name;

    /** A location of a prefix. */
    private record Prefix(Directive at, RouteDraft route, String path, boolean before) {
        /** Whether it is longer than that path and no part of its segment. */
        boolean within(String of) {
            return path.startsWith(of) && path.length() > of.length();
        }
    }

    private final List<Prefix> prefixes = new ArrayList<>();
    /** Patterns before expressions, the longest first. */
    private final List<RouteDraft> early = new ArrayList<>();

    private final List<RouteDraft> expressions = new ArrayList<>();
    /** Patterns after expressions, the longest first. */
    private final List<RouteDraft> tails = new ArrayList<>();

    private final List<RouteDraft> plain = new ArrayList<>();
    private boolean root;
    private boolean closed;

    /** @param name of the virtual server; null: there is only one */
    NginxServer(
            Findings findings,
            NginxUpstreams upstreams,
            NginxTotals totals,
            Directive server,
            NginxScope scope,
            @Nullable String name) {
        this.findings = findings;
        this.upstreams = upstreams;
        this.totals = totals;
        this.server = server;
        this.scope = scope;
        this.name = name;
    }

    private RouteDraft.When every() {
        return new RouteDraft.When(name, List.of(), PathMatch.PREFIX, "/", List.of());
    }

    /** Adds the routes. */
    void routes(List<RouteDraft> into) {
        NginxRewrites rewrites = new NginxRewrites(findings, scope);
        List<RouteDraft> before = rewrites.server(every(), NginxListeners.hosts(scope));
        boolean everything = before.stream()
                        .anyMatch(
                                r -> r.when.path().equals("/") && r.when.hosts().isEmpty())
                || rewrites.answersAll();
        closed = rewrites.closed();
        if (everything) {
            scope.here("location").forEach(scope::within);
            into.addAll(before);
            return;
        }
        into.addAll(before);
        locations(scope, null);
        if (!expressions.isEmpty()) {
            prefixes.stream().filter(Prefix::before).forEach(this::beforeExpressions);
        }
        prefixes.stream().filter(p -> !p.path().endsWith("/")).forEach(this::tail);
        prefixes.stream()
                .filter(p -> p.path().length() > 1 && p.path().endsWith("/"))
                .forEach(this::withSlash);
        if (!root) {
            rest();
        }
        Comparator<RouteDraft> longest = Comparator.comparingInt((RouteDraft r) -> -r.length);
        early.sort(longest);
        tails.sort(longest);
        List<RouteDraft> all = new ArrayList<>(early);
        all.addAll(expressions);
        all.addAll(tails);
        all.addAll(plain);
        if (closed) {
            all.forEach(RouteDraft::close);
        }
        for (RouteDraft redirect : before) {
            if (redirect.when.match() == PathMatch.PREFIX && all.size() > plain.size()) {
                findings.left(
                        redirect.at, "rewrite of " + redirect.when.path(), "locations with expressions come first");
            }
        }
        into.addAll(all);
    }

    private void locations(NginxScope of, @Nullable RouteDraft outer) {
        for (Directive d : of.here("location")) {
            boolean expression = d.argument(0).startsWith("~");
            if (expression && outer != null) {
                findings.left(
                        d.at(), d.text(), "no route has an expression within a prefix; the outer location refuses");
                outer.close();
                of.within(d);
            } else {
                location(d, of.within(d));
            }
        }
    }

    private void location(Directive d, NginxScope inner) {
        String modifier = d.arguments().size() > 1 ? d.argument(0) : "";
        String path = d.arguments().size() > 1 ? d.argument(1) : d.argument(0);
        for (String sign : List.of("^~", "~*", "~", "=")) {
            // the blank may be missing
            if (modifier.isEmpty() && path.startsWith(sign) && path.length() > sign.length()) {
                modifier = sign;
                path = path.substring(sign.length());
            }
        }
        if (path.startsWith("@")) {
            findings.left(d.at(), d.text(), "nothing leads to a named location");
            return;
        }
        switch (modifier) {
            case "~", "~*" -> expression(d, inner, modifier.equals("~*"), path);
            case "=" -> locations(inner, add(d, inner, every().path(PathMatch.EXACT, path), plain, path));
            case "", "^~" -> prefix(d, inner, modifier.equals("^~"), path);
            default -> findings.problem(d.at(), "location: expected =, ~, ~* or ^~, found \"" + modifier + "\"");
        }
    }

    private RouteDraft add(Directive d, NginxScope inner, RouteDraft.When when, List<RouteDraft> to, String path) {
        RouteDraft route = new RouteDraft(when, d.at());
        route.length = path.length();
        new NginxLocation(findings, upstreams, totals, inner, route, path).write();
        to.add(route);
        return route;
    }

    private void expression(Directive d, NginxScope inner, boolean ignoreCase, String regex) {
        String whole = NginxRegex.overPaths(regex, ignoreCase);
        if (whole != null && RouteDraft.isPattern(PathMatch.REGEX, whole)) {
            locations(inner, add(d, inner, every().path(PathMatch.REGEX, whole), expressions, ""));
            return;
        }
        // what it matches is unknown: everything may be
        findings.left(
                d.at(), d.text(), "Weir has no such expression; all locations of this server refuse their requests");
        closed = true;
    }

    private void prefix(Directive d, NginxScope inner, boolean before, String path) {
        root |= path.equals("/");
        if (!path.startsWith("/")) {
            findings.left(d.at(), d.text(), "a path begins with a slash: no request has this one");
            return;
        }
        RouteDraft route = add(d, inner, every().path(PathMatch.PREFIX, path), plain, path);
        prefixes.add(new Prefix(d, route, path, before));
        locations(inner, route);
    }

    /** A prefix that nginx prefers to expressions, and the longer ones within it: as patterns before these. */
    private void beforeExpressions(Prefix p) {
        if (p.route().movesPath()) {
            findings.left(p.at().at(), p.at().text(), "expressions come first, since rewrite-path needs a prefix");
            return;
        }
        pattern(p, early);
        plain.remove(p.route());
        for (Prefix q : prefixes) {
            if (q.within(p.path()) && !q.before()) {
                findings.note(q.at().at(), q.at().text() + ": comes before expressions, as " + p.at().text() + " does");
                pattern(q, early);
                plain.remove(q.route());
            }
        }
    }

    /** The same as a pattern over all paths that begin so; what it would rewrite is refused. */
    private void pattern(Prefix p, List<RouteDraft> to) {
        RouteDraft made = new RouteDraft(every().path(PathMatch.REGEX, RouteOrder.quote(p.path()) + ".*"), p.at().at());
        made.length = p.path().length();
        made.body = p.route().body.copy();
        if (made.movesPath()) {
            findings.left(
                    p.at().at(),
                    p.at().text(),
                    "another location would come before it, since rewrite-path needs a prefix; it refuses its requests");
            made.close();
        }
        to.add(made);
    }

    /**
     * Where requests are passed on below {@code /shop/}, {@code /shop} is redirected there.
     *
     */
    private void withSlash(Prefix p) {
        String bare = p.path().substring(0, p.path().length() - 1);
        boolean said = plain.stream()
                .anyMatch(
                        r -> r.when.match() == PathMatch.EXACT && r.when.path().equals(bare));
        boolean passes = p.route().body.has("pool") || p.route().body.has("origins");
        if (passes && !said && prefixes.stream().noneMatch(q -> q.path().equals(bare))) {
            RouteDraft redirect = new RouteDraft(every().path(PathMatch.EXACT, bare), p.at().at());
            redirect.body.section("redirect").put("url", p.path(), p.at().at()).put("status", "301");
            plain.add(redirect);
            findings.note(
                    p.at().at(),
                    "location " + p.path() + ": the redirect of " + bare + " adds the slash and drops a query");
        }
    }

    /**
     * {@code /shop} also matches {@code /shopping}; longer prefixes there come before that.
     *
     */
    private void tail(Prefix p) {
        RouteDraft tail =
                new RouteDraft(every().path(PathMatch.REGEX, RouteOrder.quote(p.path()) + "[^/].*"), p.at().at());
        tail.length = p.path().length();
        tail.body = p.route().body.copy();
        if (tail.movesPath()) {
            findings.note(
                    p.at().at(),
                    p.at().text() + ": refuses paths such as " + p.path() + "-x, since whole segments are rewritten");
            tail.close();
        }
        tails.add(tail);
        for (Prefix q : prefixes) {
            if (q.within(p.path()) && q.path().charAt(p.path().length()) != '/') {
                pattern(q, tails);
            }
        }
    }

    /** Requests of no location: nginx serves a file, or proxies at the server's level. */
    private void rest() {
        RouteDraft route = new RouteDraft(every(), server.at());
        scope.all("root");
        scope.all("index");
        route.body.section("respond").put("status", "404");
        plain.add(route);
    }
}
