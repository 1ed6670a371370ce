package io.weir.proxy.program;

import io.weir.base.ConfigNode;
import io.weir.base.Nearest;
import io.weir.proxy.program.build.ProgramBuilder;
import io.weir.proxy.program.config.RouteConfig;
import io.weir.proxy.program.match.HostPattern;
import io.weir.proxy.program.match.PathMatch;
import io.weir.proxy.program.match.Patterns;
import io.weir.proxy.program.match.RuleCondition;
import io.weir.proxy.program.server.VirtualServer;
import io.weir.proxy.program.server.VirtualServers;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Checks a route as a whole; its directives check their own parameters. Used once. */
final class RouteCheck {
    private final RouteConfig route;
    private final VirtualServers virtualServers;
    private final ProgramBuilder problems;
    private final ConfigNode.Place at;
    private final String key;
    private final Set<String> pools;
    private boolean good = true;

    RouteCheck(
            RouteConfig route,
            VirtualServers virtualServers,
            ProgramBuilder problems,
            ConfigNode.Place at,
            String key,
            Set<String> pools) {
        this.pools = pools;
        this.route = route;
        this.virtualServers = virtualServers;
        this.problems = problems;
        this.at = at;
        this.key = key;
    }

    /** Whether the route is valid; errors have been reported. */
    boolean passes() {
        actions();
        hosts();
        path();
        methods(".methods", route.methods());
        methods(".allowed-methods", route.allowedMethods());
        virtualServer();
        pool();
        if (!route.auth().given()
                && !(route.auth().users().isEmpty() && route.auth().groups().isEmpty())) {
            wrong(".auth", "users and groups apply only if basic or certificate identifies users");
        }
        return good;
    }

    private void wrong(String what, String why) {
        good = false;
        problems.problem(at, key + what, why);
    }

    private void actions() {
        List<String> actions = new ArrayList<>();
        add(actions, "origins", !route.origins().isEmpty());
        add(actions, "pool", route.pool() != null);
        add(actions, "forward", route.forward());
        add(actions, "connect", route.connect().enabled());
        add(actions, "respond", route.respond().status() != 0);
        add(
                actions,
                "redirect",
                route.redirect().url() != null || route.redirect().urlPrefix() != null);
        add(actions, "deny", route.deny());
        add(actions, "demo", route.demo());
        if (actions.size() > 1 || (actions.isEmpty() && route.functions().isEmpty())) {
            wrong(
                    "",
                    "a route has exactly one action of origins, pool, forward, connect, respond, redirect, deny, demo;"
                            + " found "
                            + (actions.isEmpty()
                                    ? "none (forward, deny, demo: on; connect: {enabled: on})"
                                    : String.join(", ", actions)));
        }
    }

    private static void add(List<String> actions, String name, boolean given) {
        if (given) {
            actions.add(name);
        }
    }

    private void hosts() {
        for (String host : route.hosts()) {
            String why = host.equals("*") ? null : HostPattern.problem(host);
            if (why != null) {
                wrong(".hosts", why);
            }
        }
    }

    private void path() {
        boolean literal = route.pathMatch() == PathMatch.PREFIX || route.pathMatch() == PathMatch.EXACT;
        if (literal && !route.path().startsWith("/")) {
            wrong(".path", "a path begins with a slash, found \"" + route.path() + "\"");
        } else if (!literal) {
            try {
                RuleCondition.PathRule rule = new RuleCondition.PathRule(route.pathMatch(), route.path());
                Patterns.parse(rule.match(), rule.text());
            } catch (IllegalArgumentException e) {
                wrong(".path", String.valueOf(e.getMessage()));
            }
        }
        boolean prefixed = route.rewritePath() != null || route.redirect().urlPrefix() != null;
        if (prefixed && route.pathMatch() != PathMatch.PREFIX) {
            wrong(".path-match", "rewrite-path and redirect.url-prefix need a path that is a prefix");
        }
        if (route.rewritePath() != null && route.origins().isEmpty() && route.pool() == null) {
            wrong(".rewrite-path", "only a route with origins or a pool rewrites paths");
        } else if (route.rewritePath() != null && !route.rewritePath().startsWith("/")) {
            wrong(".rewrite-path", "a path begins with a slash, found \"" + route.rewritePath() + "\"");
        }
        int status = route.respond().status();
        if (status != 0 && status < 200) {
            wrong(
                    ".respond.status",
                    "allowed is 200 to 599, or 0 for a route that gives no fixed answer, found " + status);
        }
    }

    private void methods(String name, List<String> methods) {
        for (String method : methods) {
            if (!method.matches("[!#$%&'*+.^_`|~0-9A-Za-z-]+")) {
                wrong(name, "expected a method such as GET, found \"" + method + "\"");
            }
        }
    }

    private void virtualServer() {
        String name = route.virtualServer();
        if (name != null && virtualServers.named(name) == null) {
            List<String> known =
                    virtualServers.all().stream().map(VirtualServer::name).toList();
            wrong(".virtual-server", "no virtual server is called \"" + name + "\"" + Nearest.known(name, known));
        }
    }

    private void pool() {
        String name = route.pool();
        if (name != null && !pools.contains(name)) {
            wrong(".pool", "no entry of proxy.origins is called \"" + name + "\"" + Nearest.known(name, pools));
        }
    }
}
