package io.weir.server.migrate.sun;

import io.weir.proxy.program.objconf.ObjConfReader.Value;
import io.weir.proxy.program.objconf.ObjConfReader.Written;
import io.weir.server.migrate.draft.Findings;
import io.weir.server.migrate.draft.RouteDraft;
import io.weir.server.migrate.draft.Section;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Directives of {@code obj.conf} that set something for requests, as keys of a route. Confined to one migration.
 *
 */
final class ObjConfSettings {
    /** What Weir always does, or what has an effect only for what it does not do. */
    private static final Set<String> BUILT_IN = Set.of(
            "url-check",
            "unix-uri-clean",
            "nt-uri-clean",
            "type-by-extension",
            "force-type",
            "find-index",
            "find-pathinfo",
            "unset-socks-server",
            "common-log",
            "flex-log");
    /** Functions of the same name and parameters, by stage. */
    private static final Map<String, Set<String>> SAME = Map.of(
            "deny-service", Set.of("path"),
            "user-agent-check", Set.of("ua"),
            "block-multipart-posts", Set.of("content-type", "user-agent", "method"),
            "url-filter", Set.of("allow", "deny"),
            "get-client-cert", Set.of("require", "method", "dorequest", "user-dn", "issuer-dn"),
            "ssl-check", Set.of("secret-keysize"),
            "set-proxy-server", Set.of("server", "hostname", "port"),
            "unset-proxy-server", Set.of(),
            "send-error", Set.of("path", "code", "reason", "type"));

    /** Functions that refuse requests. */
    private static final Set<String> REFUSING = Set.of(
            "check-acl",
            "deny-existence",
            "deny-service",
            "url-filter",
            "user-agent-check",
            "block-multipart-posts",
            "require-auth",
            "require-proxy-auth",
            "ssl-check",
            "get-client-cert",
            "java-ip-check",
            "find-links",
            "check-request-limits",
            "load-config",
            // another way to origins may be closed there
            "set-socks-server",
            "pa-set-parent-route");

    private static final List<String> COMMON = List.of("bucket", "pool", "busy");

    private final Section root;
    private final Findings findings;
    private final ObjConfNumbers numbers;
    private final ObjConfCache cache;

    ObjConfSettings(Section root, Findings findings) {
        this.root = root;
        this.findings = findings;
        this.numbers = new ObjConfNumbers(findings);
        this.cache = new ObjConfCache(findings, numbers);
    }

    /** Whether the function refuses requests, so that a route without it would be more open. */
    static boolean refusing(Written w) {
        return REFUSING.contains(w.function().replace('_', '-'));
    }

    /**
     * Adds what a directive sets; what is set already stays.
     *
     * @return false: it is none of these
     */
    boolean apply(Written w, RouteDraft route) {
        String f = w.function().replace('_', '-');
        if (BUILT_IN.contains(f)) {
            common(w);
            return true;
        }
        switch (f) {
            case "require-auth", "require-proxy-auth" -> auth(w, route);
            case "basic-auth", "proxy-auth" ->
                findings.note(
                        w.at(), w.function() + ": users and groups are those of ./weir passwd; add those of its file");
            case "deny-service" -> {
                deny(w, route);
                return true;
            }
            case "user-agent-check",
                    "block-multipart-posts",
                    "url-filter",
                    "get-client-cert",
                    "ssl-check",
                    "send-error" -> {
                function(f, w, route);
                return true;
            }
            case "set-proxy-server", "unset-proxy-server" -> {
                parents(f, w, route);
                return true;
            }
            case "cache-enable" -> cache.enable(w, route.body);
            case "cache-disable" -> route.body.section("cache").putFirst("enabled", "off", w.at());
            case "cache-setting" -> cache.setting(w, route.body);
            case "http-client-config" -> client(w, route.body);
            case "set-origin-server" -> origins(w, route.body);
            case "add-header" -> header(w, route.body);
            case "forward-ip", "block-ip" ->
                root.section("proxy").put("forwarded", f.startsWith("block") ? "off" : "x-forwarded", w.at());
            default -> {
                return false;
            }
        }
        common(w);
        return true;
    }

    /** Whether every directive may have that parameter. */
    static boolean isCommon(String name) {
        return COMMON.contains(name);
    }

    /** Parameters of every directive, of one that becomes no function of its own. */
    void common(Written w) {
        for (String name : COMMON) {
            if (w.value(name) != null) {
                String why = name.equals("bucket")
                        ? "a bucket counts functions that a route names, and this is a setting of it"
                        : "it is handled on the muxer, which waits for nothing";
                findings.note(w.at(), name + "=" + w.value(name) + ": " + why);
            }
        }
    }

    /** Parameters of every directive, of one that becomes a function of a route. */
    void common(Written w, Section function) {
        named(w, "bucket", "bucket", "proxy.buckets", function);
        named(w, "pool", "work-manager", "work-managers", function);
        String busy = w.value("busy");
        if (busy != null) {
            function.put("busy", busy, w.at());
        }
    }

    private void named(Written w, String parameter, String key, String section, Section function) {
        String value = w.value(parameter);
        if (value == null) {
            return;
        }
        String name = root.section(section).entries().keySet().stream()
                .filter(value::equalsIgnoreCase)
                .findFirst()
                .orElse(null);
        if (name != null) {
            function.put(key, name, w.at());
        } else {
            findings.note(w.at(), parameter + "=" + value + ": nothing defines it");
        }
    }

    private void auth(Written w, RouteDraft route) {
        Section auth = new Section();
        auth.put("basic", "on", w.at());
        String realm = w.value("realm");
        if (realm != null) {
            auth.put("realm", realm);
        }
        names(w, auth, "users", "auth-user", "auth-users");
        names(w, auth, "groups", "auth-group", "auth-groups");
        String path = w.value("path");
        if (path != null) {
            findings.note(w.at(), "path=" + path + ": the whole route requires authentication");
        }
        if (!route.body.has("auth")) {
            route.body.section("auth").entries().putAll(auth.entries());
        } else if (!admitted(route.body.section("auth")).equals(admitted(auth))) {
            findings.left(
                    w.at(), w.function(), "a route requires one login, two apply; it refuses its requests instead");
            route.close();
        }
    }

    private static List<List<String>> admitted(Section auth) {
        return List.of(auth.texts("users"), auth.texts("groups"));
    }

    private void names(Written w, Section auth, String key, String... parameters) {
        for (String parameter : parameters) {
            String list = w.value(parameter);
            if (list == null) {
                continue;
            }
            String bare = list.startsWith("(") && list.endsWith(")") ? list.substring(1, list.length() - 1) : list;
            List<String> names = Arrays.asList(bare.split("[|,]", -1));
            if (names.stream().allMatch(n -> n.matches("[A-Za-z0-9_.@-]+"))) {
                auth.put(key, names, w.at());
            } else if (!list.equals("*")) {
                // no user has this name: nobody is admitted who was not
                auth.put(key, List.of("none"), w.at());
                findings.left(
                        w.at(),
                        w.function() + " " + parameter + "=" + list,
                        "auth." + key + " are names, not a pattern; nobody is admitted");
            }
        }
    }

    private void deny(Written w, RouteDraft route) {
        if (w.value("path") == null) {
            route.close();
            route.body.put("deny", "on", w.at());
        } else {
            function("deny-service", w, route);
        }
    }

    private void function(String name, Written w, RouteDraft route) {
        Section f = new Section().from(w.at()).put("name", name);
        if (name.equals("deny-service")) {
            f.put("stage", "path-check");
        }
        Set<String> known = SAME.getOrDefault(name, Set.of());
        for (Value v : w.parameters()) {
            String value = v.value();
            boolean file = name.equals("send-error") && v.name().equals("path");
            if (known.contains(v.name()) && value != null && translatable(name, v.name(), value)) {
                f.section("parameters").put(v.name(), file ? beside(w, value) : value);
            } else if (!COMMON.contains(v.name())) {
                unsaid(w, v, route);
            }
        }
        if (!route.refuses()) {
            common(w, f);
            route.body.list("functions").add(f);
        }
    }

    /** A file that is named as seen from the source. */
    private static String beside(Written w, String file) {
        return Path.of(w.at().source()).resolveSibling(file).toString();
    }

    private static boolean translatable(String function, String name, String value) {
        boolean regex = Set.of(
                        "path", "ua", "content-type", "user-agent", "method", "allow", "deny", "user-dn", "issuer-dn")
                .contains(name);
        return !regex
                || function.equals("send-error")
                || RouteDraft.isPattern(io.weir.proxy.program.match.PathMatch.REGEX, value);
    }

    /** A parameter without counterpart: what only shows pages is told, what selects what is refused closes the route. */
    private void unsaid(Written w, Value v, RouteDraft route) {
        String what = w.function() + " " + v.name() + "=" + v.value();
        if (!refusing(w) || v.name().equals("bong-file")) {
            findings.left(w.at(), what, "there is no such parameter in Weir");
            return;
        }
        findings.left(w.at(), what, "Weir has no such parameter or pattern; the route refuses its requests instead");
        route.close();
    }

    private void client(Written w, Section body) {
        numbers.put(w, "connect-timeout", body.section("time-outs"), "proxy.routes[].time-outs.connect");
        numbers.put(w, "timeout", body.section("time-outs"), "proxy.routes[].time-outs.response-header");
        numbers.put(w, "body-timeout", body.section("time-outs"), "proxy.routes[].time-outs.body-idle");
        if (body.section("time-outs").isEmpty()) {
            body.remove("time-outs");
        }
        Section proxy = root.section("proxy");
        numbers.put(w, "retries", proxy, "proxy.retries");
        String keep = w.value("keep-alive-timeout");
        if (keep != null && keep.matches("[0-9]{1,4}")) {
            proxy.section("origin-pool").putFirst("idle-time-out", keep + "s", w.at());
        }
        if ("false".equals(w.value("keep-alive"))) {
            proxy.section("origin-pool").putFirst("max-idle", "0", w.at());
        }
    }

    /** The first of these decides, as in the source. */
    private void parents(String f, Written w, RouteDraft route) {
        long servers =
                w.parameters().stream().filter(p -> p.name().equals("server")).count();
        if (servers > 1) {
            findings.left(
                    w.at(),
                    "set-proxy-server",
                    "a function of a route names one proxy; proxy.objects runs the file as it is");
            route.close();
        } else {
            function(f, w, route);
        }
    }

    private void origins(Written w, Section body) {
        if (body.has("origins") || body.has("pool")) {
            return;
        }
        List<String> servers = w.parameters().stream()
                .filter(p -> p.name().equals("server"))
                .map(p -> origin(p.value()))
                .toList();
        boolean sticky = List.of("sticky-cookie", "sticky-param", "route-hdr", "route-cookie").stream()
                .anyMatch(s -> w.value(s) != null);
        if (servers.isEmpty() || servers.contains("")) {
            findings.left(w.at(), "set-origin-server", "server= must be a constant URL of scheme, host and port");
            body.put("deny", "on", w.at());
            return;
        }
        if (sticky) {
            pool(w, body, servers);
        } else {
            body.put("origins", servers, w.at());
        }
        flag(w, body, "rewrite-host");
        flag(w, body, "rewrite-location");
        List<String> fields = w.parameters().stream()
                .filter(p -> p.name().startsWith("rewrite-") && ObjConfMigration.on(p.value()))
                .map(p -> p.name().substring("rewrite-".length()))
                .filter(n -> !Set.of("host", "location", "content-location").contains(n))
                .toList();
        if (!fields.isEmpty()) {
            body.put("rewrite-fields", fields, w.at());
        }
    }

    private void pool(Written w, Section body, List<String> servers) {
        String name = "origins-" + w.at().line();
        body.put("pool", name, w.at());
        if (root.section("proxy.origins").has(name)) {
            return;
        }
        Section pool = root.section("proxy.origins").section(name).from(w.at());
        servers.forEach(s -> pool.list("servers").add(new Section().put("url", s)));
        Map.of(
                        "sticky-cookie",
                        "cookie",
                        "sticky-param",
                        "param",
                        "route-hdr",
                        "route-header",
                        "route-cookie",
                        "route-cookie")
                .forEach((from, to) -> {
                    String value = w.value(from);
                    if (value != null) {
                        pool.section("sticky").put(to, value);
                    }
                });
    }

    private static void flag(Written w, Section body, String name) {
        String value = w.value(name);
        if (value != null) {
            body.put(name, ObjConfMigration.on(value) ? "on" : "off", w.at());
        }
    }

    private void header(Written w, Section body) {
        String name = w.value("name");
        String value = w.value("value");
        if (name == null || value == null) {
            findings.left(w.at(), "add-header", "name and value must be constant");
        } else {
            body.section("set-response-headers").putFirst(name, value, w.at());
        }
    }

    /** Scheme, host and port; empty: it is no such URL. */
    static String origin(@Nullable String url) {
        String bare = url == null ? "" : url.replaceFirst("/$", "");
        return bare.matches("https?://(\\[[0-9A-Fa-f:.]+]|[A-Za-z0-9_.-]+)(:[0-9]{1,5})?") ? bare : "";
    }
}
