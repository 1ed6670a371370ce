package io.weir.server.migrate.nginx;

import io.weir.base.ConfigNode.Place;
import io.weir.server.migrate.draft.Findings;
import io.weir.server.migrate.draft.RouteDraft;
import io.weir.server.migrate.draft.Section;
import io.weir.server.migrate.nginx.NginxParser.Directive;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * An {@code nginx.conf} as listeners, virtual servers, routes and pools. Used once.
 *
 */
public final class NginxMigration {
    /** Directives with a time for a knob. */
    private record Time(String section, String key, long least, long most) {}

    private static final Map<String, Time> TIMES = Map.of(
            "client_header_timeout", new Time("kernel.time-outs", "header", 100, 3_600_000),
            "client_body_timeout", new Time("kernel.time-outs", "body", 100, 3_600_000),
            "send_timeout", new Time("kernel.time-outs", "write", 100, 3_600_000),
            "keepalive_timeout", new Time("kernel.keep-alive", "timeout", 0, 300_000),
            "resolver_timeout", new Time("proxy.time-outs", "dns", 100, 300_000));

    private final Section root;
    private final Findings findings;

    public NginxMigration(Section root, Findings findings) {
        this.root = root;
        this.findings = findings;
    }

    public void translate(Path file, String text) {
        Path folder = file.toAbsolutePath().normalize().getParent();
        Path beside = folder == null ? Path.of("") : folder;
        List<Directive> all = new NginxParser(findings, beside).read(file, text);
        NginxScope main = NginxScope.of(all, beside);
        List<Directive> https = main.here("http");
        if (https.size() != 1) {
            findings.problem(
                    https.isEmpty()
                            ? new Place(file.toString(), 1, 1)
                            : https.get(1).at(),
                    "expected one block http {...}, found " + https.size());
        }
        if (!findings.problems().isEmpty()) {
            return;
        }
        main(main);
        NginxScope http = main.within(https.getFirst());
        http(http);
        NginxUnsaid.list(main, findings);
    }

    private void main(NginxScope main) {
        for (Directive events : main.here("events")) {
            for (Directive d : main.within(events).here("worker_connections")) {
                long n = NginxValues.bytes(d.argument(0));
                // one connection of nginx's is to the client, another to the origin
                if (n >= 2 && n <= 2_000_000) {
                    root.section("kernel").put("max-connections", Math.max(1, n / 2), d.at());
                    findings.note(d.at(), "worker_connections: half of them, since nginx counts those to origins, too");
                }
            }
        }
    }

    private void http(NginxScope http) {
        NginxUpstreams upstreams = new NginxUpstreams(root, findings, http);
        NginxLogs logs = new NginxLogs(root, findings, http);
        logs.of(http, null);
        cachePaths(http);
        dns(http);
        settings(http);
        List<Directive> servers = http.here("server");
        NginxListeners listeners = new NginxListeners(root, findings);
        boolean single = servers.size() == 1;
        NginxTotals totals = new NginxTotals(root, findings);
        List<RouteDraft> routes = new ArrayList<>();
        List<String> names = listeners.names(servers, http);
        for (int i = 0; i < servers.size(); i++) {
            NginxScope scope = http.within(servers.get(i));
            String name = names.get(i);
            listeners.server(servers.get(i), scope, single ? null : name);
            logs.of(scope, single ? null : name);
            settings(scope);
            new NginxServer(findings, upstreams, totals, servers.get(i), scope, single ? null : name).routes(routes);
        }
        listeners.defaults(single);
        totals.write(http);
        List<Section> list = root.section("proxy").list("routes");
        routes.forEach(r -> list.add(r.section()));
        if (list.isEmpty()) {
            list.add(new Section().put("deny", "on"));
        }
    }

    private void settings(NginxScope scope) {
        TIMES.forEach((name, t) -> {
            for (Directive d : scope.here(name)) {
                String time = NginxValues.time(d.argument(0), t.least(), t.most());
                if (time == null) {
                    findings.problem(d.at(), name + ": expected a time such as 30s, found \"" + d.argument(0) + "\"");
                } else {
                    root.section(t.section()).putFirst(t.key(), time, d.at());
                }
            }
        });
        for (Directive d : scope.here("ssl_protocols")) {
            if (!d.arguments().contains("TLSv1.2") || !d.arguments().contains("TLSv1.3")) {
                findings.left(d.at(), d.text(), "set tls.protocols of the listeners: TLSv1.3 and TLSv1.2 are on");
            }
        }
    }

    private void dns(NginxScope http) {
        for (Directive d : http.here("resolver")) {
            List<String> servers = d.arguments().stream()
                    .filter(a -> a.matches("[0-9A-Fa-f.:\\[\\]]+"))
                    .toList();
            if (servers.size()
                    < d.arguments().stream().filter(a -> !a.contains("=")).count()) {
                findings.left(d.at(), d.text(), "name servers are addresses");
            } else {
                root.section("proxy.dns").put("servers", servers, d.at());
            }
        }
    }

    private void cachePaths(NginxScope http) {
        new NginxCachePaths(root, findings).write(http.here("proxy_cache_path"));
    }

    /** Names of zones of limit_req with the client's address as their key. */
    static boolean byClient(String key) {
        return Set.of("$binary_remote_addr", "$remote_addr").contains(key);
    }
}
