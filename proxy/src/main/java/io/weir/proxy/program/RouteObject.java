package io.weir.proxy.program;

import io.weir.base.ByteSize;
import io.weir.base.ConfigNode;
import io.weir.base.Durations;
import io.weir.kernel.listen.RequestRate;
import io.weir.proxy.cache.config.CacheTerms;
import io.weir.proxy.function.Stage;
import io.weir.proxy.pool.OriginsConfig;
import io.weir.proxy.pool.PoolServerConfig;
import io.weir.proxy.program.build.ProgramBuilder;
import io.weir.proxy.program.config.AuthRoute;
import io.weir.proxy.program.config.CacheRoute;
import io.weir.proxy.program.config.CertificateUser;
import io.weir.proxy.program.config.FunctionRoute;
import io.weir.proxy.program.config.RouteConfig;
import io.weir.proxy.program.config.RouteTimeOuts;
import io.weir.proxy.program.functions.AuthFunctions;
import io.weir.proxy.program.functions.SettingFunctions;
import io.weir.proxy.program.match.LiteralPath;
import io.weir.proxy.program.match.PathMatch;
import io.weir.proxy.program.match.RuleCondition;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes the directives of a route's object. Used once. */
final class RouteObject {
    private final RouteConfig route;
    private final @Nullable OriginsConfig pool;
    private final String name;
    private final ConfigNode.Place at;
    private final String key;
    private final ProgramBuilder into;

    /** Writes a route; the pool is null if it names none. */
    RouteObject(
            RouteConfig route,
            @Nullable OriginsConfig pool,
            String name,
            ConfigNode.Place at,
            String key,
            ProgramBuilder into) {
        this.route = route;
        this.pool = pool;
        this.name = name;
        this.at = at;
        this.key = key;
        this.into = into;
    }

    void write() {
        into.object(name, null);
        work();
        if (!route.allowedMethods().isEmpty()) {
            Map<String, List<String>> allowed = parameters();
            allowed.put("method", route.allowedMethods());
            directive(Stage.PATH_CHECK, "allow-methods", allowed);
        }
        if (route.auth().given()) {
            auth();
        }
        RequestRate requests = route.requests();
        if (requests.bounded()) {
            Map<String, List<String>> limits = parameters();
            put(limits, "max-rps", new BigDecimal(requests.requestRate()).toPlainString());
            put(limits, "burst", requests.requestBurst());
            directive(Stage.PATH_CHECK, "check-request-limits", limits);
        }
        for (int i = 0; i < route.functions().size(); i++) {
            function(route.functions().get(i), key + ".functions[" + i + "]");
        }
        if (!servers().isEmpty()) {
            reverse();
        } else if (route.forward() || route.connect().enabled()) {
            proxy();
        } else if (route.respond().status() >= 200) {
            respond();
        } else if (route.deny()) {
            directive(Stage.PATH_CHECK, "deny-service", parameters());
        } else if (route.demo()) {
            directive(Stage.SERVICE, "demo-origin", parameters());
            cache();
        } else if (route.redirect().url() != null || route.redirect().urlPrefix() != null) {
            redirect();
        }
        headers();
        timeOuts();
    }

    private void work() {
        Map<String, List<String>> under = parameters();
        String manager = route.workManager();
        String requestClass = route.requestClass();
        if (manager != null) {
            put(under, "name", manager);
        }
        if (requestClass != null) {
            put(under, "request-class", requestClass);
        }
        if (!under.isEmpty() && into.runsUnder(manager, requestClass, at, key)) {
            directive(Stage.NAME_TRANS, "use-work-manager", under);
        }
    }

    private void auth() {
        AuthRoute auth = route.auth();
        if (auth.certificate() != CertificateUser.OFF) {
            Map<String, List<String>> shown = parameters();
            put(shown, "require", 0);
            put(shown, AuthFunctions.USER, auth.certificate().word());
            directive(Stage.PATH_CHECK, "get-client-cert", shown);
        }
        Map<String, List<String>> users = parameters();
        put(users, "auth-type", auth.basic() ? "basic" : "none");
        put(users, "realm", auth.realm());
        names(users, AuthFunctions.USER, auth.users());
        names(users, AuthFunctions.GROUPS, auth.groups());
        put(users, "required", auth.required() ? 1 : 0);
        put(users, "strip", auth.strip() ? 1 : 0);
        boolean proxy = route.forward() || route.connect().enabled();
        directive(Stage.PATH_CHECK, proxy ? "require-proxy-auth" : "require-auth", users);
    }

    /** Errors in other paths are reported once, by the check of the route. */
    private boolean plainPath() {
        return route.pathMatch() == PathMatch.PREFIX && route.path().startsWith("/");
    }

    private void function(FunctionRoute f, String where) {
        Stage stage = f.stage() == null ? into.stageOf(f.name()) : f.stage();
        if (stage == null) {
            into.problem(at, where + ".stage", "specify the stage of \"" + f.name() + "\": it supports several stages");
        } else if (stage == Stage.INPUT || stage == Stage.AUTH_TRANS) {
            into.problem(at, where + ".stage", "a route is chosen after " + stage.word());
        } else {
            Map<String, List<String>> parameters = parameters();
            f.parameters().forEach((name, value) -> parameters.put(name, List.of(value)));
            ProgramBuilder.Common common =
                    new ProgramBuilder.Common(f.bucket(), f.workManager(), f.busy(), f.requestClass());
            into.add(name, stage, f.name(), parameters, RuleCondition.ALWAYS, common, at, where);
        }
    }

    private Map<String, List<String>> parameters() {
        return new LinkedHashMap<>();
    }

    private void directive(Stage stage, String function, Map<String, List<String>> parameters) {
        into.add(name, stage, function, parameters, RuleCondition.ALWAYS, ProgramBuilder.Common.NONE, at, key);
    }

    private static void put(Map<String, List<String>> parameters, String key, Object value) {
        parameters.put(key, List.of(String.valueOf(value)));
    }

    private void reverse() {
        String rewrite = route.rewritePath();
        if (rewrite != null && rewrite.startsWith("/") && plainPath()) {
            Map<String, List<String>> map = parameters();
            put(map, "from", LiteralPath.of(route.path()));
            put(map, "to", rewrite);
            Map<String, List<String>> back = parameters();
            put(back, "from", rewrite);
            put(back, "to", LiteralPath.of(route.path()));
            directive(Stage.NAME_TRANS, "reverse-map", back);
            directive(Stage.NAME_TRANS, "map", map);
        }
        Map<String, List<String>> origins = parameters();
        origins.put("server", servers());
        sticky(origins);
        put(origins, "rewrite-host", route.rewriteHost());
        put(origins, "rewrite-location", route.rewriteLocation());
        put(origins, "rewrite-content-location", route.rewriteLocation());
        names(origins, "rewrite-field", route.rewriteFields());
        directive(Stage.ROUTE, "set-origin-server", origins);
        directive(Stage.SERVICE, "proxy-retrieve", parameters());
        cache();
    }

    private List<String> servers() {
        return pool == null
                ? route.origins()
                : pool.servers().stream().map(PoolServerConfig::url).toList();
    }

    private void sticky(Map<String, List<String>> origins) {
        if (pool == null) {
            return;
        }
        put(origins, "pool", String.valueOf(route.pool()));
        put(origins, "sticky", pool.sticky().enabled());
        put(origins, "sticky-cookie", pool.sticky().cookie());
        put(origins, "sticky-param", pool.sticky().param());
        put(origins, "route-hdr", pool.sticky().routeHeader());
        put(origins, "route-cookie", pool.sticky().routeCookie());
    }

    private void proxy() {
        Map<String, List<String>> check = parameters();
        if (route.connect().enabled()) {
            check.put("port", route.connect().ports());
        }
        directive(Stage.PATH_CHECK, "check-destination", check);
        directive(Stage.SERVICE, "proxy-retrieve", parameters());
        if (route.forward()) {
            cache();
        }
    }

    private void respond() {
        Map<String, List<String>> answer = parameters();
        String body = route.respond().body();
        put(answer, "status", route.respond().status());
        put(answer, "type", route.respond().contentType());
        put(answer, "body", body == null ? "" : body);
        directive(Stage.SERVICE, "send-answer", answer);
    }

    private void redirect() {
        Map<String, List<String>> redirect = parameters();
        put(redirect, "from", plainPath() ? LiteralPath.of(route.path()) : "/");
        String url = route.redirect().url();
        String prefix = route.redirect().urlPrefix();
        if (url != null) {
            put(redirect, "url", url);
        }
        if (prefix != null) {
            put(redirect, "url-prefix", prefix);
        }
        put(redirect, "status", route.redirect().status());
        directive(Stage.NAME_TRANS, "redirect", redirect);
    }

    private void cache() {
        CacheRoute c = route.cache();
        if (!c.enabled()) {
            directive(Stage.OBJECT_TYPE, "cache-disable", parameters());
            return;
        }
        Map<String, List<String>> enable = parameters();
        if (c.queryMaxlen() >= 0) {
            put(enable, "query-maxlen", c.queryMaxlen());
        }
        size(enable, "min-size", c.minSize());
        size(enable, "max-size", c.maxSize());
        put(enable, "cache-auth", c.cacheAuth() ? 1 : 0);
        directive(Stage.OBJECT_TYPE, "cache-enable", enable);
        directive(Stage.OBJECT_TYPE, "cache-setting", cacheSetting(c));
    }

    private Map<String, List<String>> cacheSetting(CacheRoute c) {
        Map<String, List<String>> setting = parameters();
        Duration uncheck = c.maxUncheck();
        Duration cover = c.coverErrors();
        if (uncheck != null) {
            put(setting, "max-uncheck", text(uncheck));
        }
        if (c.lmFactor() >= 0) {
            put(setting, "lm-factor", c.lmFactor());
        }
        if (cover != null) {
            put(setting, "cover-errors", text(cover));
        }
        if (c.termPercent() >= 0) {
            put(setting, "term-percent", c.termPercent());
        }
        put(setting, "connect-mode", SettingFunctions.word(c.connectMode()));
        for (CacheTerms.Ignored what : c.ignore()) {
            put(setting, "ignore-" + SettingFunctions.word(what), 1);
        }
        return setting;
    }

    private static void size(Map<String, List<String>> parameters, String key, @Nullable ByteSize size) {
        if (size != null) {
            put(parameters, key, size.bytes() + "B");
        }
    }

    private void headers() {
        Map<String, List<String>> edits = parameters();
        lines(edits, "set-request", route.setRequestHeaders());
        names(edits, "remove-request", route.removeRequestHeaders());
        lines(edits, "set-response", route.setResponseHeaders());
        names(edits, "remove-response", route.removeResponseHeaders());
        if (!edits.isEmpty()) {
            directive(Stage.OBJECT_TYPE, "edit-headers", edits);
        }
    }

    private static void lines(Map<String, List<String>> edits, String parameter, Map<String, String> fields) {
        List<String> lines = new ArrayList<>();
        fields.forEach((field, value) -> lines.add(field + ": " + value));
        names(edits, parameter, lines);
    }

    private static void names(Map<String, List<String>> edits, String parameter, List<String> values) {
        if (!values.isEmpty()) {
            edits.put(parameter, values);
        }
    }

    private void timeOuts() {
        RouteTimeOuts t = route.timeOuts();
        if (t.equals(RouteTimeOuts.NONE)) {
            return;
        }
        Map<String, List<String>> config = parameters();
        put(config, "connect-timeout", text(t.connect()));
        put(config, "timeout", text(t.responseHeader()));
        put(config, "body-timeout", text(t.bodyIdle()));
        directive(Stage.OBJECT_TYPE, "http-client-config", config);
    }

    private static String text(Duration d) {
        return Durations.format(d);
    }
}
