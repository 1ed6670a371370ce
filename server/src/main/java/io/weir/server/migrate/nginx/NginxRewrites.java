package io.weir.server.migrate.nginx;

import io.weir.proxy.program.match.PathMatch;
import io.weir.server.migrate.draft.Findings;
import io.weir.server.migrate.draft.RouteDraft;
import io.weir.server.migrate.draft.RouteOrder;
import io.weir.server.migrate.draft.Section;
import io.weir.server.migrate.nginx.NginxParser.Directive;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** return, rewrite and if of a block. Confined to one migration. */
final class NginxRewrites {
    private static final Set<String> REDIRECTS = Set.of("301", "302", "303", "307", "308");
    /**
     * A rewrite of all that follows a prefix: {@code ^/old/(.*)$}.
     *
     */
    private static final Pattern PREFIX =
            Pattern.compile("\\^((?:/[A-Za-z0-9_.%\\\\-]*)*)(?:\\(\\.\\*\\)|\\(/\\.\\*\\)|\\.\\*)?\\$?");

    private static final Pattern METHODS =
            Pattern.compile("\\$request_method (!~\\*?|!=) \"?\\^?\\(?([A-Z|]+)\\)?\\$?\"?");

    private final Findings findings;
    private final NginxScope scope;
    private boolean answersAll;
    private boolean closed;

    NginxRewrites(Findings findings, NginxScope scope) {
        this.findings = findings;
        this.scope = scope;
    }

    /** Whether every request is answered by what stands here. */
    boolean answersAll() {
        return answersAll;
    }

    /** Whether something here refuses requests, and no route says which. */
    boolean closed() {
        return closed;
    }

    /** Routes for what stands at the level of a server. */
    List<RouteDraft> server(RouteDraft.When every, List<String> hosts) {
        List<RouteDraft> routes = new ArrayList<>();
        conditions(null);
        for (Directive d : scope.here("return")) {
            answersAll = true;
            String target = target(d);
            if (target.contains("$host") || target.contains("$server_name") || target.contains("$http_host")) {
                for (String host : hosts) {
                    perHost(d, every, host, routes);
                }
                findings.note(d.at(), d.text() + ": for the names of server_name; other hosts are refused");
                RouteDraft other = new RouteDraft(every, d.at());
                other.body.put("deny", "on");
                routes.add(other);
            } else {
                RouteDraft route = new RouteDraft(every, d.at());
                answer(d, route, "/");
                routes.add(route);
            }
        }
        for (Directive d : scope.here("rewrite")) {
            RouteDraft route = rewrite(d, every);
            if (route != null) {
                routes.add(route);
            } else {
                findings.left(d.at(), d.text(), "no route rewrites so; the server's locations refuse their requests");
                closed = true;
            }
        }
        return routes;
    }

    private void perHost(Directive d, RouteDraft.When every, String host, List<RouteDraft> routes) {
        if (host.startsWith("*")) {
            return;
        }
        RouteDraft route = new RouteDraft(every.hosts(List.of(host)), d.at());
        Directive named = new Directive(
                d.name(),
                d.arguments().stream()
                        .map(a -> a.replaceAll(
                                "\\$(http_host|host|server_name)(?![a-z_])", Matcher.quoteReplacement(host)))
                        .toList(),
                null,
                d.at());
        answer(named, route, "/");
        routes.add(route);
    }

    private static String target(Directive d) {
        return d.arguments().isEmpty() ? "" : d.arguments().getLast();
    }

    /**
     * The answer of a return.
     *
     * @param path the prefix that is matched
     */
    void answer(Directive d, RouteDraft route, String path) {
        String code = d.argument(0);
        String text = d.arguments().size() > 1 ? d.argument(1) : "";
        if (d.arguments().size() == 1 && !code.matches("[0-9]{3}")) {
            text = code;
            code = "302";
        }
        route.body = new Section();
        if (REDIRECTS.contains(code) && !text.isEmpty()) {
            if (!redirect(d, route, code, text, path)) {
                findings.left(d.at(), d.text(), "a redirect has a fixed start, and the rest of the request's URL");
                route.close();
            }
        } else if (!NginxValues.constant(text) || !code.matches("[2-5][0-9]{2}")) {
            if (!code.equals("444")) {
                findings.left(d.at(), d.text(), "expected a status and a constant text");
            }
            route.close();
        } else if ((code.equals("403") && text.isEmpty()) || code.equals("444")) {
            route.body.put("deny", "on", d.at());
        } else {
            Section respond = route.body.section("respond").put("status", code, d.at());
            if (!text.isEmpty()) {
                respond.put("body", text);
            }
            String type = scope.value("default_type", "text/plain");
            respond.put("content-type", type);
        }
    }

    private boolean redirect(Directive d, RouteDraft route, String code, String text, String path) {
        String to = text.replace("$is_args$args", "").replaceAll("\\$scheme(?=://)", "http");
        if (text.contains("$scheme")) {
            findings.note(d.at(), "$scheme: taken for http");
        }
        boolean whole = to.endsWith("$request_uri") || to.endsWith("$uri");
        String start = whole ? to.substring(0, to.lastIndexOf('$')) : to;
        if (!NginxValues.constant(start) || start.chars().anyMatch(c -> c <= ' ' || c >= 0x7f)) {
            return false;
        }
        Section redirect = route.body.section("redirect");
        if (whole) {
            if (route.when.match() != PathMatch.PREFIX) {
                return false;
            }
            String base = start.endsWith("/") ? start.substring(0, start.length() - 1) : start;
            redirect.put("url-prefix", base + (path.equals("/") ? "" : path), d.at());
        } else {
            redirect.put("url", start, d.at());
        }
        redirect.put("status", code);
        return true;
    }

    /** A rewrite that redirects all below a prefix; null: it is another one. */
    @Nullable
    RouteDraft rewrite(Directive d, RouteDraft.When every) {
        Matcher m = PREFIX.matcher(d.argument(0));
        String flag = d.argument(2);
        String to = d.argument(1);
        boolean redirects = flag.equals("permanent") || flag.equals("redirect") || to.matches("https?://.*");
        if (!m.matches() || !redirects) {
            return null;
        }
        boolean group = d.argument(0).contains("(");
        boolean end = d.argument(0).endsWith("$");
        String prefix = m.group(1).replace("\\", "");
        String start = to.endsWith("$1") ? to.substring(0, to.length() - 2) : to;
        if (!NginxValues.constant(start)
                || group != to.endsWith("$1")
                || (group && !prefix.endsWith("/") && !prefix.isEmpty())) {
            return null;
        }
        boolean exact = end && !group && !d.argument(0).contains(".*");
        RouteDraft route = new RouteDraft(
                exact
                        ? every.path(PathMatch.EXACT, prefix)
                        : every.path(PathMatch.PREFIX, prefix.isEmpty() ? "/" : prefix),
                d.at());
        if (!exact && !group) {
            route.when = every.path(PathMatch.REGEX, RouteOrder.quote(prefix) + ".*");
        }
        route.body
                .section("redirect")
                .put(group ? "url-prefix" : "url", start, d.at())
                .put("status", flag.equals("permanent") ? "301" : "302");
        return route;
    }

    /** Blocks of if: methods that a location does not answer; others that refuse close it. */
    void conditions(@Nullable RouteDraft route) {
        for (Directive d : scope.here("if")) {
            NginxScope inner = scope.within(d);
            String condition = String.join(" ", d.arguments()).replaceAll("^\\(\\s*|\\s*\\)$", "");
            Matcher m = METHODS.matcher(condition);
            boolean refuses =
                    inner.here("return").stream().anyMatch(r -> r.argument(0).matches("4[0-9][0-9]"));
            if (route != null && m.matches() && refuses) {
                route.body.putFirst("allowed-methods", List.of(m.group(2).split("\\|", -1)), d.at());
                continue;
            }
            inner.directives().forEach(inner::understand);
            boolean harmless = inner.directives().stream()
                    .allMatch(i ->
                            Set.of("set", "add_header", "access_log", "expires").contains(i.name()));
            findings.left(
                    d.at(),
                    d.text(),
                    harmless
                            ? "routes have no conditions but host, path and method"
                            : "no route says when it applies, so requests are refused");
            if (!harmless) {
                closed = true;
                if (route != null) {
                    route.close();
                }
            }
        }
    }
}
