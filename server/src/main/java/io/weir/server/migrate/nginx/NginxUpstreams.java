package io.weir.server.migrate.nginx;

import io.weir.server.migrate.draft.Findings;
import io.weir.server.migrate.draft.Section;
import io.weir.server.migrate.nginx.NginxParser.Directive;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The upstream blocks as pools of {@code proxy.origins}, those that are used. Confined to one migration.
 *
 */
final class NginxUpstreams {
    private static final String SERVER = "(\\[[0-9A-Fa-f:]+]|[A-Za-z0-9_.-]+)(:[0-9]{1,5})?";

    private final Section root;
    private final Findings findings;
    private final NginxScope http;
    private final Map<String, Directive> blocks = new HashMap<>();
    private final Map<String, Boolean> made = new HashMap<>();

    NginxUpstreams(Section root, Findings findings, NginxScope http) {
        this.root = root;
        this.findings = findings;
        this.http = http;
        http.here("upstream").forEach(u -> blocks.put(u.argument(0), u));
        // whether one is used or not, it is no setting of anything else
        blocks.values().forEach(http::within);
    }

    /** Host and optional port of an origin. */
    static boolean address(String text) {
        return text.matches(SERVER);
    }

    /** The pool of that name for a scheme; null: there is no such upstream. */
    @Nullable
    String pool(String name, String scheme) {
        Directive block = blocks.get(name);
        if (block == null) {
            return null;
        }
        String pool = scheme.equals("https") ? name + "-https" : name;
        String plain = pool.replaceAll("[^A-Za-z0-9_-]", "-");
        made.computeIfAbsent(plain, key -> make(key, block, scheme));
        return plain;
    }

    /** Whether the pool has servers. */
    boolean usable(String pool) {
        return made.getOrDefault(pool, false);
    }

    private boolean make(String pool, Directive block, String scheme) {
        NginxScope scope = http.within(block);
        Section into = new Section().from(block.at());
        List<Section> servers = into.list("servers");
        Section health = new Section();
        for (Directive server : scope.here("server")) {
            server(server, scheme, servers, health);
        }
        if (servers.isEmpty()) {
            findings.left(
                    block.at(), block.text(), "it has no server that Weir reaches; its routes refuse their requests");
            return false;
        }
        balance(scope, into);
        boolean sticky = !scope.here("sticky").isEmpty();
        if (sticky) {
            findings.note(block.at(), "sticky: sessions stay by JROUTE beside the application's own cookie");
        } else {
            into.section("sticky").put("enabled", "off");
        }
        into.entries().put("health", new Section.Entry(health, null));
        health.putFirst("failures", servers.size() == 1 ? "0" : "1", block.at());
        health.putFirst("down-time", "10s", block.at());
        root.section("proxy.origins").entries().put(pool, new Section.Entry(into, null));
        scope.here("keepalive");
        scope.here("keepalive_timeout");
        scope.here("keepalive_requests");
        scope.here("zone");
        return true;
    }

    private void server(Directive server, String scheme, List<Section> servers, Section health) {
        List<String> options = server.arguments();
        String address = server.argument(0);
        if (options.contains("down")) {
            return;
        }
        if (!address(address) || options.contains("backup")) {
            String why = options.contains("backup")
                    ? "a pool has no servers in reserve"
                    : "expected a host and a port, no socket or variable";
            findings.left(server.at(), server.text(), why);
            return;
        }
        boolean port = address.matches(".*:[0-9]+");
        Section made = new Section().from(server.at()).put("url", scheme + "://" + address + (port ? "" : ":80"));
        for (String option : options.subList(1, options.size())) {
            option(option, server, made, health);
        }
        servers.add(made);
    }

    private void option(String option, Directive server, Section made, Section health) {
        String value = option.substring(option.indexOf('=') + 1);
        if (option.startsWith("weight=") && value.matches("[1-9][0-9]{0,2}|1000")) {
            made.put("weight", value);
        } else if (option.startsWith("max_fails=") && value.matches("[0-9]{1,3}")) {
            health.putFirst("failures", value, server.at());
        } else if (option.startsWith("fail_timeout=") && NginxValues.millis(value) >= 0) {
            health.putFirst("down-time", String.valueOf(NginxValues.time(value, 100, 3_600_000)), server.at());
        } else {
            findings.left(server.at(), "server " + option, "a server of a pool has no such setting");
        }
    }

    private void balance(NginxScope scope, Section pool) {
        for (Directive d : scope.here("ip_hash")) {
            pool.put("balance", "hash", d.at()).put("hash-on", "client");
        }
        for (Directive d : scope.here("least_conn")) {
            pool.put("balance", "least-outstanding", d.at());
        }
        scope.here("random")
                .forEach(d -> findings.note(d.at(), "random: the servers take turns, which spreads as evenly"));
        for (Directive d : scope.here("hash")) {
            String on = d.argument(0);
            if (on.matches("\\$(request_uri|uri)")) {
                pool.put("balance", "hash", d.at()).put("hash-on", "url");
            } else if (on.matches("\\$(remote_addr|binary_remote_addr)")) {
                pool.put("balance", "hash", d.at()).put("hash-on", "client");
            } else if (on.matches("\\$(cookie|http)_[a-z0-9_]+")) {
                boolean cookie = on.startsWith("$cookie_");
                String name = on.substring(on.indexOf('_') + 1);
                pool.put("balance", "hash", d.at())
                        .put("hash-on", cookie ? "cookie" : "header")
                        .put("hash-name", cookie ? name : name.replace('_', '-'));
            } else {
                findings.left(d.at(), d.text(), "a pool hashes the URL, a field, a cookie or the client");
            }
        }
    }
}
