package io.weir.server.migrate.sun;

import io.weir.base.ConfigNode.Place;
import io.weir.proxy.function.Parameters;
import io.weir.proxy.program.match.PathMatch;
import io.weir.proxy.program.objconf.ObjConfReader;
import io.weir.proxy.program.objconf.ObjConfReader.Written;
import io.weir.proxy.program.objconf.ObjConfReader.WrittenObject;
import io.weir.server.migrate.draft.Findings;
import io.weir.server.migrate.draft.Methods;
import io.weir.server.migrate.draft.RouteDraft;
import io.weir.server.migrate.draft.RouteOrder;
import io.weir.server.migrate.draft.Section;
import io.weir.server.migrate.draft.SourceFile;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An {@code obj.conf} as routes: one for each NameTrans directive that leads somewhere, for each ppath object, and for what
 * the default object does with the rest. Used once.
 */
public final class ObjConfMigration {
    /** Objects whose Service is one of Weir's views. */
    private static final Set<String> VIEWS = Set.of("service-dump", "stats-xml", "service-nsc-dump");

    private final Section root;
    private final Findings findings;
    private final ObjConfSettings settings;
    private final Map<String, WrittenObject> named = new LinkedHashMap<>();
    private final List<WrittenObject> paths = new ArrayList<>();
    private final List<RouteDraft> refusals = new ArrayList<>();
    private final List<RouteDraft> routes = new ArrayList<>();
    private final List<RouteDraft> forwards = new ArrayList<>();
    private final ObjConfTunnels tunnels;
    private final List<Written> mappedBack = new ArrayList<>();
    private List<Written> defaults = List.of();
    private boolean forwardClosed;

    public ObjConfMigration(Section root, Findings findings) {
        this.root = root;
        this.findings = findings;
        settings = new ObjConfSettings(root, findings);
        tunnels = new ObjConfTunnels(findings);
    }

    /** A flag as NSAPI reads it. */
    static boolean on(@Nullable String value) {
        return value != null && Boolean.TRUE.equals(Parameters.flag(value));
    }

    /**
     * Translates objects; Init lines are left to {@link SunSettings}.
     *
     */
    public void translate(ObjConfReader.Read read) {
        for (WrittenObject o : read.objects()) {
            if (o.name() == null) {
                paths.add(o);
            } else {
                named.putIfAbsent(o.name().toLowerCase(Locale.ROOT), o);
            }
        }
        WrittenObject base = named.get("default");
        defaults = base == null ? List.of() : base.directives();
        defaults.stream().filter(w -> w.function().equals("reverse-map")).forEach(mappedBack::add);
        conditionalDefaults();
        paths.forEach(this::ppath);
        defaults.stream().filter(w -> w.stage().equals("NameTrans")).forEach(this::nameTrans);
        rest(base);
        write();
    }

    private void write() {
        List<Section> list = root.section("proxy").list("routes");
        boolean forwarding = forwards.stream().anyMatch(f -> f.body.has("forward")) && !forwardClosed;
        List<RouteDraft> all = new ArrayList<>(refusals);
        all.addAll(routes);
        for (RouteDraft r : all) {
            // without a host a route does not match targets in absolute form beside a forward proxy
            if (forwarding && r.when.hosts().isEmpty() && r.refuses()) {
                r.when = r.when.hosts(List.of("*"));
            }
        }
        if (!forwardClosed) {
            all.addAll(forwards);
        }
        RouteOrder.firstMatch(all, findings).forEach(r -> list.add(r.section()));
        if (!forwardClosed) {
            tunnels.write(list);
        }
        if (forwarding || tunnels.any()) {
            WrittenObject base = named.get("default");
            findings.left(
                    base == null ? Place.of("obj.conf") : base.at(),
                    "clients of the forward proxy",
                    "obj.conf admits every client, Weir only this machine until proxy.destinations.clients names networks");
        }
        if (list.isEmpty()) {
            list.add(new Section().put("deny", "on"));
        }
    }

    /** Directives of the default object in blocks: those that refuse become routes before all others. */
    private void conditionalDefaults() {
        List<Written> always = new ArrayList<>();
        for (Written w : defaults) {
            if (w.around().isEmpty() || w.stage().equals("NameTrans")) {
                always.add(w);
                continue;
            }
            RouteDraft.When when = ObjConfConditions.within(RouteDraft.When.ALWAYS, w.around());
            boolean denies = w.function().equals("deny-service") && w.value("path") == null;
            if (when != null && denies) {
                RouteDraft route = new RouteDraft(when, w.at());
                route.body.put("deny", "on", w.at());
                refusals.add(route);
            } else if (ObjConfSettings.refusing(w)) {
                findings.left(
                        w.at(),
                        w.stage() + " fn=" + w.function() + " in a block",
                        "no route says when it applies, so it applies always");
                always.add(w);
            } else {
                findings.left(
                        w.at(), w.stage() + " fn=" + w.function() + " in a block", "no route says when it applies");
            }
        }
        defaults = always;
    }

    private void nameTrans(Written w) {
        RouteDraft.When when = ObjConfConditions.within(RouteDraft.When.ALWAYS, w.around());
        String f = w.function().replace('_', '-');
        if (when == null) {
            findings.left(w.at(), "NameTrans fn=" + f + " in a block", "no route says when it applies");
            closeTarget(w);
            return;
        }
        switch (f) {
            case "assign-name" -> assignName(w, when);
            case "map" -> map(w, when);
            case "redirect" -> redirect(w, when);
            case "reverse-map" -> {}
            case "pac-map", "pat-map" -> page(w, when);
            default ->
                findings.left(
                        w.at(),
                        "NameTrans fn=" + f,
                        Set.of("regexp-map", "host-map").contains(f)
                                ? "no route rewrites so; proxy.objects runs the file as it is"
                                : "Weir serves no files, and has no function of this name");
        }
    }

    /** A named object that refuses something, chosen by a condition that no route says: it applies to all. */
    private void closeTarget(Written w) {
        WrittenObject target = target(w);
        if (target != null && target.directives().stream().anyMatch(ObjConfSettings::refusing)) {
            RouteDraft all = new RouteDraft(RouteDraft.When.ALWAYS, w.at());
            all.body.put("deny", "on", w.at());
            refusals.add(all);
            findings.left(w.at(), "name=" + w.value("name"), "what it refuses is unknown here: everything is refused");
        }
    }

    private @Nullable WrittenObject target(Written w) {
        String name = w.value("name");
        return name == null ? null : named.get(name.toLowerCase(Locale.ROOT));
    }

    private void assignName(Written w, RouteDraft.When when) {
        String from = w.value("from");
        WrittenObject target = target(w);
        if (from == null || target == null) {
            findings.left(w.at(), "assign-name", "from and name must be constant, and the object must exist");
            return;
        }
        List<Written> views = target.directives().stream()
                .filter(d -> VIEWS.contains(d.function()))
                .toList();
        if (!views.isEmpty()) {
            findings.note(
                    w.at(), "assign-name from=" + from + ": the admin listener answers it (/.perf, /stats-xml, /nsc)");
            return;
        }
        if (!when.path().equals("/") || !RouteDraft.isPattern(PathMatch.WILDCARD, from)) {
            findings.left(w.at(), "assign-name from=" + from, "no route says what it matches");
            closeTarget(w);
            return;
        }
        RouteDraft route = new RouteDraft(ObjConfConditions.path(when, from), w.at());
        action(route, target);
    }

    private void map(Written w, RouteDraft.When outer) {
        String from = w.value("from");
        String to = w.value("to");
        if (from == null || to == null) {
            findings.left(w.at(), "map", "from and to must be constant");
            return;
        }
        RouteDraft.When when = prefix(outer, from);
        int path = to.startsWith("/") ? 0 : to.indexOf('/', to.indexOf("://") + 3);
        String origin = path == 0 ? "" : ObjConfSettings.origin(path < 0 ? to : to.substring(0, path));
        if (when == null || (path != 0 && origin.isEmpty())) {
            findings.left(
                    w.at(), "map from=" + from + " to=" + to, "expected a path or URL, and an http or https origin");
            return;
        }
        RouteDraft route = new RouteDraft(when, w.at());
        if (!origin.isEmpty()) {
            route.body.put("origins", List.of(origin), w.at());
            String host = w.value("rewrite-host");
            route.body.put("rewrite-host", host == null || on(host) ? "on" : "off", w.at());
            back(origin, route.body);
        }
        String rewritten = path < 0 ? "/" : to.substring(path);
        if (!stripped(rewritten).equals(stripped(when.path()))) {
            route.body.put("rewrite-path", rewritten, w.at());
        }
        action(route, target(w));
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
                if (location != null && !on(location)) {
                    body.put("rewrite-location", "off", w.at());
                }
            }
        }
    }

    private static RouteDraft.@Nullable When prefix(RouteDraft.When outer, String from) {
        if (!outer.path().equals("/")) {
            return null;
        }
        if (from.startsWith("/")) {
            return outer.path(PathMatch.PREFIX, from);
        }
        ObjConfConditions.Ppath url = ObjConfConditions.ppath(from);
        if (url == null || !outer.hosts().isEmpty() || !url.host().matches("[A-Za-z0-9_.-]+")) {
            return null;
        }
        return outer.hosts(List.of(url.host()))
                .path(PathMatch.PREFIX, url.path().isEmpty() ? "/" : url.path());
    }

    private void redirect(Written w, RouteDraft.When outer) {
        String from = w.value("from");
        RouteDraft.When when = from == null ? null : prefix(outer, from);
        String url = w.value("url");
        String prefix = w.value("url-prefix");
        if (when == null || (url == null) == (prefix == null)) {
            findings.left(w.at(), "redirect", "expected a constant from, and one of url and url-prefix");
            return;
        }
        RouteDraft route = new RouteDraft(when, w.at());
        Section redirect = route.body.section("redirect");
        redirect.put(url == null ? "url-prefix" : "url", url == null ? String.valueOf(prefix) : url, w.at());
        String status = w.value("status");
        if (status != null) {
            redirect.put("status", status);
        }
        routes.add(route);
    }

    /** A proxy configuration for browsers, as a fixed answer. */
    private void page(Written w, RouteDraft.When outer) {
        String from = w.value("from");
        String to = w.value("to");
        String text = to == null ? null : SourceFile.beside(w.at().source(), to, 65_536);
        if (from == null || !from.startsWith("/") || text == null) {
            findings.left(w.at(), w.function(), "the file cannot be read, or is larger than 64 KiB: " + to);
            return;
        }
        RouteDraft route = new RouteDraft(outer.path(PathMatch.EXACT, from), w.at());
        route.body
                .section("respond")
                .put("status", "200")
                .put("content-type", "application/x-ns-proxy-autoconfig")
                .put("body", text, w.at());
        routes.add(route);
    }

    /** Adds settings of an object and of the default object, and what the route does. */
    private void action(RouteDraft route, @Nullable WrittenObject object) {
        List<Written> chain = new ArrayList<>(object == null ? List.of() : object.directives());
        chain.addAll(defaults);
        Written service = null;
        for (Written w : chain) {
            if (w.stage().equals("Service") && service == null && serves(w, route)) {
                service = w;
            }
        }
        chain.forEach(w -> set(w, route));
        finish(route, service);
    }

    private boolean serves(Written w, RouteDraft route) {
        String method = w.value("method");
        return method == null
                || !method.contains("CONNECT")
                || route.when.methods().contains("CONNECT");
    }

    private void set(Written w, RouteDraft route) {
        if (w.stage().equals("NameTrans") || w.stage().equals("Service")) {
            return;
        }
        if (!w.around().isEmpty() && ObjConfSettings.refusing(w)) {
            findings.left(w.at(), w.function() + " in a block", "no route says when it applies, so it applies always");
        } else if (!w.around().isEmpty()) {
            findings.left(w.at(), w.function() + " in a block", "no route says when it applies");
            return;
        }
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

    private void finish(RouteDraft route, @Nullable Written service) {
        if (route.refuses() || service == null || !service.function().equals("proxy-retrieve")) {
            boolean said =
                    route.refuses() || service == null || service.function().equals("deny-service");
            if (!said && service != null) {
                findings.left(service.at(), "Service fn=" + service.function(), "no route answers so; it refuses");
            }
            route.close();
            routes.add(route);
            return;
        }
        methods(service, route);
        Section cache = route.body.section("cache");
        if (!"on".equals(cache.text("enabled"))) {
            cache.entries().keySet().removeIf(key -> !key.equals("enabled"));
            cache.putFirst("enabled", "off", service.at());
        }
        boolean origin = route.body.has("origins") || route.body.has("pool");
        if (!origin) {
            route.body.put("forward", "on", service.at());
        }
        (origin ? routes : forwards).add(route);
    }

    private void methods(Written service, RouteDraft route) {
        String allow = service.value("allow");
        String block = service.value("block");
        if (allow != null) {
            route.body.put("allowed-methods", Methods.list(allow), service.at());
        } else if (block != null) {
            route.body.put("allowed-methods", Methods.without(Methods.list(block)), service.at());
        }
        String method = service.value("method");
        if (method != null && !method.equals("*")) {
            List<String> listed = Methods.list(method.replaceAll("[()]", "").replace('|', ','));
            if (listed.stream().allMatch(m -> m.matches("[A-Z]+"))) {
                route.body.putFirst("allowed-methods", listed, service.at());
            } else {
                findings.left(service.at(), "method=" + method, "expected names of methods");
                route.close();
            }
        }
    }

    /** What an object and the default object set for tunnels. */
    private RouteDraft settings(@Nullable WrittenObject object) {
        RouteDraft made = new RouteDraft(RouteDraft.When.ALWAYS, object == null ? Place.of("obj.conf") : object.at());
        if (object != null) {
            object.directives().forEach(w -> set(w, made));
        }
        defaults.forEach(w -> set(w, made));
        return made;
    }

    private void ppath(WrittenObject object) {
        String written = String.valueOf(object.ppath());
        if (written.startsWith("/") || written.startsWith("*")) {
            RouteDraft route = new RouteDraft(ObjConfConditions.path(RouteDraft.When.ALWAYS, written), object.at());
            action(route, object);
            return;
        }
        ObjConfConditions.Ppath p = ObjConfConditions.ppath(written);
        if (p != null && p.scheme().equals("connect")) {
            tunnels.add(p, object, settings(object));
            return;
        }
        RouteDraft.When when = p == null ? null : ObjConfConditions.forwarded(p);
        if (when != null && p != null && Set.of("http", "https").contains(p.scheme())) {
            action(new RouteDraft(when, object.at()), object);
            return;
        }
        boolean refuses = object.directives().stream().anyMatch(ObjConfSettings::refusing);
        findings.left(
                object.at(),
                "ppath=" + written,
                refuses ? "no route says what it matches; nothing is forwarded" : "no route says what it matches");
        forwardClosed |= refuses;
    }

    /** What the default object does with requests that no NameTrans directive matched. */
    private void rest(@Nullable WrittenObject base) {
        mappedBack.forEach(w -> findings.note(w.at(), "reverse-map: Weir maps an origin's own URLs back anyway"));
        boolean serves = defaults.stream()
                .anyMatch(w -> w.stage().equals("Service") && w.around().isEmpty());
        if (base != null && serves) {
            RouteDraft route = new RouteDraft(RouteDraft.When.ALWAYS, base.at());
            int before = forwards.size();
            action(route, null);
            boolean connects = defaults.stream()
                    .filter(w -> w.stage().equals("Service"))
                    .anyMatch(
                            w -> w.value("method") == null || w.value("method").equals("*"));
            boolean covered = forwards.size() > before
                    && forwards.subList(0, before).stream().anyMatch(f -> RouteOrder.covers(f.when, route.when));
            if (covered) {
                forwards.removeLast();
            }
            if (connects && !forwards.isEmpty()) {
                tunnels.byDefault(base.at(), settings(null));
            }
        }
    }
}
