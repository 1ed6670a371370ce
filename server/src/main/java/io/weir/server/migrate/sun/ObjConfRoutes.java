package io.weir.server.migrate.sun;

import io.weir.base.ConfigNode.Place;
import io.weir.proxy.program.match.LiteralPath;
import io.weir.proxy.program.match.PathMatch;
import io.weir.proxy.program.objconf.ObjConfReader.Value;
import io.weir.proxy.program.objconf.ObjConfReader.Written;
import io.weir.server.migrate.draft.Findings;
import io.weir.server.migrate.draft.RouteDraft;
import io.weir.server.migrate.draft.Section;
import io.weir.server.migrate.draft.SourceFile;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Writes the route of one kind of requests. Confined to one migration. */
final class ObjConfRoutes {
    /** Functions of Service that a route can name. */
    private static final Set<String> SERVING = Set.of(
            "demo-origin",
            "send-answer",
            "service-dump",
            "service-nsc-dump",
            "service-nsfc-dump",
            "service-toobusy",
            "stats-xml");

    private final ObjConfSettings settings;
    private final Findings findings;
    private final Set<Written> served = new HashSet<>();
    private final List<Written> mappedBack = new ArrayList<>();
    private final Place at;

    ObjConfRoutes(Section root, Findings findings, ObjConfProgram program) {
        this.findings = findings;
        settings = new ObjConfSettings(root, findings);
        at = program.start() == null ? Place.of("obj.conf") : program.start().at();
        program.named().values().stream()
                .flatMap(o -> o.directives().stream())
                .filter(w -> w.function().replace('_', '-').equals("reverse-map"))
                .forEach(mappedBack::add);
    }

    /** Tells of what no route has used. */
    void rest() {
        mappedBack.forEach(w -> findings.note(w.at(), "reverse-map: Weir maps an origin's own URLs back anyway"));
    }

    private static RouteDraft.When when(RequestKind kind) {
        return new RouteDraft.When(
                kind.server().isEmpty() ? null : kind.server(),
                kind.host().isEmpty() ? List.of() : List.of(kind.host()),
                kind.path().match(),
                kind.path().text(),
                kind.methods());
    }

    /** What becomes of tunnels. */
    RouteDraft tunnel(FollowedRequest followed, Place from) {
        RouteDraft route = new RouteDraft(RouteDraft.When.ALWAYS, from);
        followed.applied().forEach(a -> set(a.directive(), route));
        if (followed.closed()) {
            route.close();
        }
        return route;
    }

    /** @param full there are too many: what is left is refused */
    RouteDraft route(FollowedRequest followed, RequestKind kind, boolean full) {
        Written leads = followed.leads();
        Written service = followed.service();
        RouteDraft route = new RouteDraft(when(kind), leads != null ? leads.at() : service != null ? service.at() : at);
        boolean answered = leads != null && (!leads.function().equals("map") || followed.slash());
        boolean fetched = !answered && service != null && service.function().equals("proxy-retrieve");
        if (fetched && leads != null) {
            map(leads, kind, route);
        }
        for (FollowedRequest.Applied a : followed.applied()) {
            boolean always = ObjConfSettings.refusing(a.directive())
                    || Set.of("Error", "AddLog").contains(a.directive().stage());
            if (fetched || always) {
                set(a.directive(), route);
            }
        }
        if (kind.vague()) {
            route.vague = "path " + kind.path().text();
            route.lost = !route.refuses() && !followed.closed();
            route.close();
            return route;
        }
        if (route.refuses() || followed.closed() || full) {
            route.close();
            return route;
        }
        if (leads != null && answered) {
            answer(leads, kind, route, followed.slash());
        } else if (service == null) {
            noRoute(route, 404);
        } else if (followed.methodRefused()) {
            noRoute(route, 405);
        } else {
            serve(service, followed, route);
        }
        boolean byUrl = followed.ledByUrl() || (followed.servedByUrl() && !answered);
        if (byUrl && !route.refuses() && !route.unserved && !route.body.has("forward")) {
            findings.left(
                    route.at,
                    "an object of URLs",
                    "it serves the forward proxy only, and a route without forward would serve others too; it refuses"
                            + " its requests instead");
            route.close();
        }
        return route;
    }

    private static void noRoute(RouteDraft route, int status) {
        route.body.remove("origins");
        route.body.remove("pool");
        route.body.entries().keySet().retainAll(Set.of("auth", "functions"));
        route.body
                .section("respond")
                .put("status", status)
                .put(
                        "body",
                        status == 404
                                ? "Nothing is configured for this address.\n"
                                : "The method is not allowed here.\n");
        route.unserved = status == 404;
    }

    private void set(Written w, RouteDraft route) {
        if (!settings.apply(w, route)) {
            boolean refuses = ObjConfSettings.refusing(w);
            findings.left(
                    w.at(),
                    w.stage() + " fn=" + w.function(),
                    refuses ? "no route says this; it refuses its requests instead" : "no route says this");
            if (refuses) {
                route.close();
            }
        }
    }

    private void map(Written w, RequestKind kind, RouteDraft route) {
        String to = String.valueOf(w.value("to"));
        int path = to.startsWith("/") ? 0 : to.indexOf('/', to.indexOf("://") + 3);
        // http:/ and a path only says that it is fetched: a route names the origins
        boolean marks = to.matches("https?:/([^/].*)?");
        String origin = path == 0 || marks ? "" : ObjConfSettings.origin(path < 0 ? to : to.substring(0, path));
        if (w.value("to") == null || (path != 0 && !marks && origin.isEmpty())) {
            findings.left(
                    w.at(), "map to=" + w.value("to"), "expected a constant path or URL, and an http or https origin");
            route.close();
            return;
        }
        if (!origin.isEmpty()) {
            route.body.put("origins", List.of(origin), w.at());
            String host = w.value("rewrite-host");
            route.body.put("rewrite-host", host == null || ObjConfMigration.on(host) ? "on" : "off", w.at());
            back(origin, route.body);
        }
        rewrite(from(w), stripped(path < 0 ? "/" : to.substring(path)), kind, route, w);
    }

    private static String from(Written w) {
        String from = String.valueOf(w.value("from"));
        ObjConfConditions.Ppath url = from.startsWith("/") ? null : ObjConfConditions.ppath(from);
        return stripped(LiteralPath.of(url == null ? from : url.path()));
    }

    /** The path at the origin: by the route's prefix if that is as long, else by functions. */
    private static void rewrite(String from, String to, RequestKind kind, RouteDraft route, Written w) {
        if (from.equals(to)) {
            return;
        }
        Section back = new Section().from(w.at()).put("name", "reverse-map");
        back.section("parameters").put("from", to.isEmpty() ? "/" : to).put("to", from.isEmpty() ? "/" : from);
        Section map = new Section().from(w.at()).put("name", "map");
        map.section("parameters").put("from", from.isEmpty() ? "/" : from).put("to", to.isEmpty() ? "/" : to);
        String path = kind.path().text();
        boolean prefix =
                kind.path().match() == PathMatch.PREFIX && (stripped(path).equals(from) || path.startsWith(from + "/"));
        if (prefix) {
            Section other = new Section();
            other.list("functions").addAll(List.of(back, map));
            route.asPattern = other;
            String moved = to + path.substring(from.length());
            route.body.put("rewrite-path", moved.isEmpty() ? "/" : moved, w.at());
        } else {
            route.body.list("functions").addAll(List.of(back, map));
        }
    }

    private static String stripped(String path) {
        return path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
    }

    /** Settings of the reverse-map for an origin; Weir maps its Location back anyway. */
    private void back(String origin, Section body) {
        for (Written w : List.copyOf(mappedBack)) {
            String from = w.value("from");
            if (from != null && stripped(from).startsWith(origin)) {
                mappedBack.remove(w);
                String location = w.value("rewrite-location");
                if (location != null && !ObjConfMigration.on(location)) {
                    body.put("rewrite-location", "off", w.at());
                }
            }
        }
    }

    /** What NameTrans itself answers. */
    private void answer(Written w, RequestKind kind, RouteDraft route, boolean slash) {
        if (slash) {
            route.body.section("redirect").put("url", String.valueOf(w.value("from")), w.at());
        } else if (w.function().equals("redirect")) {
            redirect(w, kind, route);
        } else {
            page(w, route);
        }
    }

    private void redirect(Written w, RequestKind kind, RouteDraft route) {
        String url = w.value("url");
        String prefix = w.value("url-prefix");
        String status = w.value("status");
        if ((url == null) == (prefix == null)) {
            findings.left(w.at(), "redirect", "expected a constant from, and one of url and url-prefix");
            route.close();
            return;
        }
        String from = from(w);
        Section function = new Section().from(w.at()).put("name", "redirect");
        function.section("parameters").put("from", from.isEmpty() ? "/" : from);
        Section redirect = new Section();
        for (String key : List.of("url", "url-prefix", "status")) {
            String value = w.value(key);
            if (value != null) {
                function.section("parameters").put(key, value);
                redirect.put(key, value, w.at());
            }
        }
        boolean whole = kind.path().match() == PathMatch.PREFIX
                && stripped(kind.path().text()).equals(from)
                && !(kind.path().text().length() > 1 && kind.path().text().endsWith("/"));
        if (url != null || whole) {
            route.body.section("redirect").entries().putAll(redirect.entries());
        } else {
            route.body.list("functions").add(function);
        }
        if (url == null) {
            Section other = new Section();
            other.list("functions").add(function);
            route.asPattern = whole ? other : null;
        }
        if (status != null && !Set.of("301", "302", "303", "307", "308").contains(status)) {
            findings.left(
                    w.at(), "redirect status=" + status, "expected 301, 302, 303, 307 or 308; it refuses instead");
            route.close();
        }
    }

    /** A proxy configuration for browsers, as a fixed answer. */
    private void page(Written w, RouteDraft route) {
        String to = w.value("to");
        String text = to == null ? null : SourceFile.beside(w.at().source(), to, 65_536);
        if (text == null) {
            findings.left(w.at(), w.function(), "the file cannot be read, or is larger than 64 KiB: " + to);
            noRoute(route, 404);
            return;
        }
        route.body
                .section("respond")
                .put("status", "200")
                .put(
                        "content-type",
                        w.function().startsWith("pat")
                                ? "text/plain; charset=utf-8"
                                : "application/x-ns-proxy-autoconfig")
                .put("body", text, w.at());
    }

    private void serve(Written service, FollowedRequest followed, RouteDraft route) {
        String f = service.function();
        Set<String> allowed = followed.allowed();
        if (allowed != null) {
            route.body.put(
                    "allowed-methods",
                    allowed.stream()
                            .filter(m -> !m.equals("HEAD") || !allowed.contains("GET"))
                            .toList(),
                    service.at());
        }
        if (f.equals("proxy-retrieve")) {
            retrieve(service, route);
        } else if (SERVING.contains(f) && constant(service)) {
            served.add(service);
            serving(service, route);
        } else {
            if (!f.equals("deny-service")) {
                findings.left(service.at(), "Service fn=" + f, "no route answers so; it refuses");
            } else if (service.value("path") != null) {
                findings.left(service.at(), "Service fn=deny-service path=", "a route refuses all paths in Service");
            }
            route.body.entries().keySet().retainAll(Set.of("auth", "functions", "allowed-methods"));
            route.body.put("deny", "on", service.at());
        }
    }

    /** Answers of the server itself that no route gives, because an object of URLs decides for their paths, too. */
    void unserved(ObjConfProgram program) {
        program.named().values().stream()
                .filter(o -> o.ppath() == null)
                .flatMap(o -> o.directives().stream())
                .filter(w -> w.stage().equals("Service") && SERVING.contains(w.function()) && !served.contains(w))
                .forEach(w -> findings.note(
                        w.at(),
                        "Service fn=" + w.function()
                                + ": no route answers so; where an object of URLs decides for the same paths, it decides"
                                + " for this server's, too (proxy.objects runs the file as it is)"));
    }

    private void retrieve(Written service, RouteDraft route) {
        Section cache = route.body.section("cache");
        if (!"on".equals(cache.text("enabled"))) {
            cache.entries().keySet().removeIf(key -> !key.equals("enabled"));
            cache.putFirst("enabled", "off", service.at());
        }
        if (!route.body.has("origins") && !route.body.has("pool")) {
            if (route.body.has("rewrite-path")) {
                findings.left(
                        route.at, "map", "only paths at named origins are mapped; it refuses its requests instead");
                route.close();
                return;
            }
            route.body.put("forward", "on", service.at());
        }
        settings.common(service);
    }

    private static boolean constant(Written w) {
        return w.parameters().stream().allMatch(p -> p.value() != null);
    }

    private void serving(Written w, RouteDraft route) {
        Section function = new Section().from(w.at()).put("name", w.function());
        for (Value v : w.parameters()) {
            boolean ofStage = Set.of("method", "query").contains(v.name())
                    || (v.name().equals("type")
                            && !Set.of("service-dump", "send-answer").contains(w.function()));
            if (!ofStage
                    && !ObjConfSettings.isCommon(v.name())
                    && !v.name().matches("UseOutput.*|flushTimer|Chunked.*")) {
                function.section("parameters").put(v.name(), String.valueOf(v.value()));
            }
        }
        settings.common(w, function);
        for (String key : List.of("origins", "pool", "rewrite-host", "rewrite-path", "rewrite-location")) {
            route.body.remove(key);
        }
        route.body.list("functions").add(function);
    }
}
