package io.weir.server.migrate.nginx;

import io.weir.proxy.program.match.PathMatch;
import io.weir.server.migrate.draft.Findings;
import io.weir.server.migrate.draft.RouteDraft;
import io.weir.server.migrate.draft.RouteOrder;
import io.weir.server.migrate.draft.Section;
import io.weir.server.migrate.draft.SourceFile;
import io.weir.server.migrate.nginx.NginxParser.Directive;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a location does, as keys of a route. Used once. */
final class NginxLocation {
    private static final Pattern PASS = Pattern.compile("(https?)://([^/]+)(/.*)?");
    private static final Pattern STRIP = Pattern.compile("\\^(/[A-Za-z0-9_./-]*?)/?\\(?/?\\(?\\.\\*\\)?\\)?\\$?");
    /** What other modules answer with. */
    private static final List<String> HANDLERS = List.of(
            "fastcgi_pass",
            "uwsgi_pass",
            "scgi_pass",
            "grpc_pass",
            "memcached_pass",
            "try_files",
            "alias",
            "root",
            "autoindex",
            "stub_status",
            "perl",
            "js_content",
            "content_by_lua_block",
            "content_by_lua_file",
            "empty_gif",
            "mp4",
            "flv",
            "dav_methods",
            "mirror");
    /** What decides about requests in a way that no route does. */
    private static final List<String> GATES = List.of(
            "auth_request",
            "auth_jwt",
            "access_by_lua_block",
            "access_by_lua_file",
            "rewrite_by_lua_block",
            "secure_link",
            "valid_referers",
            "js_access");

    private final Findings findings;
    private final NginxUpstreams upstreams;
    private final NginxTotals totals;
    private final NginxScope scope;
    private final RouteDraft route;
    private final String path;

    /** @param path as written */
    NginxLocation(
            Findings findings,
            NginxUpstreams upstreams,
            NginxTotals totals,
            NginxScope scope,
            RouteDraft route,
            String path) {
        this.findings = findings;
        this.upstreams = upstreams;
        this.totals = totals;
        this.scope = scope;
        this.route = route;
        this.path = path;
    }

    void write() {
        NginxRewrites rewrites = new NginxRewrites(findings, scope);
        List<Directive> returns = scope.here("return");
        if (!returns.isEmpty()) {
            rewrites.answer(returns.getFirst(), route, route.when.match() == PathMatch.PREFIX ? path : "/");
            gates();
            headers();
            return;
        }
        handler();
        rewriting(rewrites);
        rewrites.conditions(route);
        gates();
        if (!route.refuses()) {
            headers();
        }
    }

    private void handler() {
        Directive pass = scope.here("proxy_pass").stream().findFirst().orElse(null);
        for (String name : HANDLERS) {
            for (Directive d : scope.here(name)) {
                if (pass == null || name.endsWith("_pass")) {
                    String why = name.equals("stub_status")
                            ? "the admin listener has /metrics and /.perf"
                            : "Weir serves no files and speaks HTTP only; its requests are answered 404";
                    findings.left(d.at(), d.text(), why);
                } else if (!name.equals("root")) {
                    findings.left(d.at(), d.text(), "only what proxy_pass says is done");
                }
            }
        }
        if (pass == null) {
            route.body.section("respond").put("status", "404");
            return;
        }
        Matcher m = PASS.matcher(pass.argument(0));
        if (!NginxValues.constant(pass.argument(0)) || !m.matches()) {
            findings.left(pass.at(), pass.text(), "an origin has a constant URL; its requests are refused");
            route.close();
            return;
        }
        origin(pass, m.group(1), m.group(2));
        String uri = m.group(3);
        if (uri != null) {
            uri(pass, uri);
        }
        if (!route.refuses()) {
            proxy(m.group(1));
        }
    }

    private void origin(Directive pass, String scheme, String authority) {
        String pool = upstreams.pool(authority, scheme);
        if (pool != null) {
            if (upstreams.usable(pool)) {
                route.body.put("pool", pool, pass.at());
            } else {
                route.close();
            }
        } else if (NginxUpstreams.address(authority)) {
            route.body.put("origins", List.of(scheme + "://" + authority), pass.at());
        } else {
            findings.left(pass.at(), pass.text(), "expected a host and a port, no socket; its requests are refused");
            route.close();
        }
    }

    /** The URI of proxy_pass replaces what the location matches. */
    private void uri(Directive pass, String uri) {
        if (uri.equals(path)) {
            return;
        }
        boolean segments = path.endsWith("/") == uri.endsWith("/");
        if (route.when.match() == PathMatch.PREFIX && segments) {
            route.body.put("rewrite-path", uri, pass.at());
            return;
        }
        findings.left(
                pass.at(),
                pass.text(),
                "a route replaces a prefix of whole segments, with or without a slash on both sides; its requests are refused");
        route.close();
    }

    private void proxy(String scheme) {
        totals.location(scope);
        if (scheme.equals("https")) {
            totals.verify(scope);
        }
        host();
        time("proxy_connect_timeout", "connect", 300_000);
        time("proxy_read_timeout", "response-header", 3_600_000);
        time("proxy_read_timeout", "body-idle", 3_600_000);
        scope.all("proxy_send_timeout");
        for (Directive d : scope.all("proxy_redirect")) {
            if (d.argument(0).equals("off")) {
                route.body.put("rewrite-location", "off", d.at());
            } else if (!d.argument(0).equals("default")) {
                findings.note(
                        d.at(),
                        d.text() + ": redirects of the origin to itself are rewritten to what the client asked for");
            }
        }
        cache();
    }

    private void time(String directive, String key, long most) {
        Directive d = scope.one(directive);
        if (d != null) {
            String time = NginxValues.time(d.argument(0), 100, most);
            if (time == null) {
                findings.problem(d.at(), directive + ": expected a time such as 60s, found \"" + d.argument(0) + "\"");
            } else {
                route.body.section("time-outs").put(key, time, d.at());
            }
        }
    }

    /** Fields of requests; without one for Host, nginx names the origin. */
    private void host() {
        boolean own = true;
        for (Directive d : scope.all("proxy_set_header")) {
            String name = d.argument(0).toLowerCase(Locale.ROOT);
            String value = d.argument(1);
            if (name.equals("host")
                    && Set.of("$host", "$http_host", "$host:$server_port").contains(value)) {
                own = false;
            } else if (!name.equals("host") || !value.equals("$proxy_host")) {
                field(d, name, value);
            }
        }
        if (own) {
            route.body.put("rewrite-host", "on");
            if (route.body.has("pool")) {
                findings.note(route.at, "Host is the server's address, not the name of the upstream");
            }
        }
    }

    private void field(Directive d, String name, String value) {
        if (name.startsWith("x-forwarded-") || name.equals("connection") || name.equals("upgrade")) {
            // what proxy.forwarded sends; connections and upgrades are Weir's own
            return;
        }
        if (value.isEmpty()) {
            List<String> removed = new java.util.ArrayList<>(route.body.texts("remove-request-headers"));
            removed.add(d.argument(0));
            route.body.put("remove-request-headers", removed, d.at());
        } else if (name.equals("host")) {
            findings.left(d.at(), d.text(), "Host is the client's or the origin's own");
        } else if (NginxValues.constant(value)) {
            route.body.section("set-request-headers").put(d.argument(0), value, d.at());
        } else {
            findings.left(
                    d.at(),
                    d.text(),
                    name.equals("x-real-ip")
                            ? "the origin gets X-Forwarded-For (proxy.forwarded)"
                            : "fields of requests have constant values");
        }
    }

    private void cache() {
        Directive zone = scope.one("proxy_cache");
        Section cache = route.body.section("cache");
        if (zone == null || zone.argument(0).equals("off")) {
            cache.put("enabled", "off");
            scope.all("proxy_cache_use_stale");
            scope.all("proxy_cache_key");
            scope.all("proxy_cache_methods");
            return;
        }
        cache.put("enabled", "on", zone.at());
        scope.all("proxy_cache_methods");
        for (String name : List.of("proxy_cache_bypass", "proxy_no_cache")) {
            for (Directive d : scope.all(name)) {
                findings.left(d.at(), d.text(), "no route decides so; nothing of this location is cached");
                cache.put("enabled", "off", d.at());
            }
        }
        for (Directive d : scope.all("proxy_cache_key")) {
            if (!String.join("", d.arguments())
                    .matches(
                            "(\\$(scheme|proxy_host|host|http_host|server_name|request_method|request_uri|uri|is_args|args)|[:/|-])*\\$(request_uri|args|uri\\$is_args\\$args)")) {
                findings.left(d.at(), d.text(), "the key is the URL; nothing of this location is cached");
                cache.put("enabled", "off", d.at());
            }
        }
        Directive stale = scope.one("proxy_cache_use_stale");
        if (stale != null && !stale.argument(0).equals("off")) {
            cache.put("cover-errors", "1d", stale.at());
        }
    }

    private void rewriting(NginxRewrites rewrites) {
        for (Directive d : scope.here("rewrite")) {
            Matcher strip = STRIP.matcher(d.argument(0));
            boolean stripped = strip.matches()
                    && d.argument(2).equals("break")
                    && route.when.match() == PathMatch.PREFIX
                    && path.replaceFirst("/$", "").equals(strip.group(1))
                    && d.argument(1).matches("/([A-Za-z0-9_./-]*/)?\\$1")
                    && d.argument(0).contains("/(.*)");
            if (stripped) {
                String to = d.argument(1).substring(0, d.argument(1).length() - 2);
                route.body.put(
                        "rewrite-path", path.endsWith("/") || to.equals("/") ? to : to.replaceFirst("/$", ""), d.at());
                continue;
            }
            RouteDraft redirect = rewrites.rewrite(d, RouteDraft.When.ALWAYS);
            boolean whole = redirect != null
                    && route.when.match() == PathMatch.PREFIX
                    && redirect.when.match() == PathMatch.PREFIX
                    && RouteOrder.covers(redirect.when, RouteDraft.When.ALWAYS.path(PathMatch.PREFIX, path));
            if (whole && redirect != null && redirect.when.path().equals(path)) {
                route.body = redirect.body;
                return;
            }
            findings.left(d.at(), d.text(), "no route rewrites so; the location refuses its requests");
            route.close();
        }
    }

    /** What refuses requests. */
    private void gates() {
        for (Directive d : scope.here("internal")) {
            findings.note(d.at(), "internal: nothing leads there, requests are refused");
            route.close();
        }
        for (String gate : GATES) {
            for (Directive d : scope.all(gate)) {
                if (!d.argument(0).equals("off")) {
                    findings.left(d.at(), d.text(), "no route decides so; the location refuses its requests");
                    route.close();
                }
            }
        }
        for (Directive d : scope.here("limit_except")) {
            only(d);
        }
        boolean any = scope.value("satisfy", "all").equals("any");
        boolean users = auth();
        addresses(any && users);
    }

    private void only(Directive d) {
        NginxScope inner = scope.within(d);
        boolean all = inner.here("deny").stream().anyMatch(r -> r.argument(0).equals("all"));
        inner.here("allow").forEach(a -> findings.note(a.at(), "limit_except: others get 405, whoever they are"));
        if (all && !route.refuses()) {
            route.body.put("allowed-methods", d.arguments(), d.at());
        } else {
            findings.left(d.at(), d.text(), "expected \"deny all\" in it; the location refuses its requests");
            inner.directives().forEach(inner::understand);
            route.close();
        }
    }

    /** Whether users must log in. */
    private boolean auth() {
        Directive basic = scope.one("auth_basic");
        Directive file = scope.one("auth_basic_user_file");
        if (basic == null || basic.argument(0).equals("off")) {
            return false;
        }
        if (route.refuses()) {
            return true;
        }
        Section auth = route.body.section("auth").put("basic", "on", basic.at());
        if (NginxValues.constant(basic.argument(0)) && !basic.argument(0).isEmpty()) {
            auth.put("realm", basic.argument(0));
        }
        String text =
                file == null ? null : SourceFile.beside(basic.at().source(), scope.file(file.argument(0)), 1 << 20);
        List<String> names = text == null ? List.of() : users(text);
        if (names.isEmpty()) {
            auth.put("groups", List.of("nginx"), file == null ? basic.at() : file.at());
            findings.note(
                    basic.at(), "auth_basic: the users of group nginx are admitted (./weir passwd NAME --group nginx)");
        } else {
            auth.put("users", names, file == null ? basic.at() : file.at());
            findings.note(basic.at(), "auth_basic: give its users their passwords with ./weir passwd");
        }
        return true;
    }

    private static List<String> users(String text) {
        return text.lines()
                .filter(l -> l.matches("[A-Za-z0-9_.@-]+:.*"))
                .map(l -> l.substring(0, l.indexOf(':')))
                .limit(1000)
                .toList();
    }

    private void addresses(boolean instead) {
        Directive first = null;
        Directive refuses = null;
        for (Directive d : inOrder()) {
            first = first == null ? d : first;
            refuses = refuses == null && d.name().equals("deny") ? d : refuses;
        }
        if (first == null
                || refuses == null
                || (first.name().equals("allow") && first.argument(0).equals("all"))) {
            return;
        }
        if (instead) {
            findings.note(refuses.at(), "satisfy any: everybody logs in, whatever the address");
        } else if (first.name().equals("deny") && first.argument(0).equals("all")) {
            route.close();
            route.body.put("deny", "on", first.at());
        } else {
            findings.left(
                    refuses.at(),
                    first.text() + "; " + refuses.text(),
                    "routes do not ask for addresses; it refuses its requests");
            route.close();
        }
    }

    /** allow and deny of the innermost block that has any. */
    private List<Directive> inOrder() {
        List<Directive> here = scope.directives().stream()
                .filter(d -> d.name().equals("allow") || d.name().equals("deny"))
                .toList();
        here.forEach(scope::understand);
        NginxScope around = scope.around();
        return here.isEmpty() && around != null
                ? new NginxLocation(findings, upstreams, totals, around, route, path).inOrder()
                : here;
    }

    private void headers() {
        for (Directive d : scope.all("add_header")) {
            if (NginxValues.constant(d.argument(1))) {
                route.body.section("set-response-headers").put(d.argument(0), d.argument(1), d.at());
            } else {
                findings.left(d.at(), d.text(), "fields of responses have constant values");
            }
        }
        List<String> hidden = scope.all("proxy_hide_header").stream()
                .map(d -> d.argument(0))
                .distinct()
                .toList();
        if (!hidden.isEmpty()) {
            route.body.put("remove-response-headers", hidden);
        }
    }
}
