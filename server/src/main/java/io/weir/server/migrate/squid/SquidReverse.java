package io.weir.server.migrate.squid;

import io.weir.server.migrate.draft.Findings;
import io.weir.server.migrate.draft.Section;
import io.weir.server.migrate.squid.SquidParser.Directive;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** cache_peer … originserver as routes and pools: the servers of one set of hosts are one pool. Used once. */
final class SquidReverse {
    private final Section root;
    private final Findings findings;
    private final SquidUsers users;
    private final SquidAcls acls;
    private final @Nullable String server;
    private final Section fields;

    SquidReverse(
            Section root,
            Findings findings,
            SquidUsers users,
            SquidAcls acls,
            @Nullable String server,
            Section fields) {
        this.root = root;
        this.findings = findings;
        this.users = users;
        this.acls = acls;
        this.server = server;
        this.fields = fields;
    }

    /** @param allowed null: nothing is */
    void write(@Nullable SquidBox allowed, List<Directive> peers, List<Directive> access, List<Section> routes) {
        Section deny = route(List.of()).put("deny", "on");
        if (allowed == null) {
            routes.add(deny);
            return;
        }
        if (!allowed.clients().equals(AddressSet.ALL)) {
            findings.left(
                    peers.isEmpty()
                            ? io.weir.base.ConfigNode.Place.of("squid.conf")
                            : peers.getFirst().at(),
                    "http_access",
                    "routes to servers do not ask for clients' addresses; they refuse all requests");
            routes.add(deny);
            return;
        }
        Map<List<String>, List<Directive>> byHosts = new LinkedHashMap<>();
        for (Directive peer : peers) {
            List<String> hosts = peer.words().contains("originserver") ? hosts(peer, access, allowed) : null;
            if (hosts != null) {
                byHosts.computeIfAbsent(hosts, _ -> new ArrayList<>()).add(peer);
            }
        }
        if (!allowed.without().isEmpty()) {
            routes.add(route(allowed.without()).put("deny", "on"));
        }
        byHosts.forEach((hosts, of) -> {
            List<String> open =
                    hosts.stream().filter(h -> !allowed.without().contains(h)).toList();
            if (hosts.isEmpty() || !open.isEmpty()) {
                Section route = route(open).from(of.getFirst().at());
                origins(of, route);
                SquidForward.restrict(route, allowed, users, findings);
                fields.entries().forEach((key, e) -> route.entries().put(key, e));
                routes.add(route);
            }
        });
        if (routes.isEmpty()) {
            routes.add(deny);
        }
    }

    private Section route(List<String> hosts) {
        Section route = new Section();
        if (server != null) {
            route.put("virtual-server", server);
        }
        return hosts.isEmpty() ? route : route.put("hosts", hosts);
    }

    private static String name(Directive peer) {
        return SquidListeners.option(peer, "name=", peer.word(0));
    }

    /** The hosts that a peer serves, of those that are allowed; empty: all; null: none. */
    private @Nullable List<String> hosts(Directive peer, List<Directive> access, SquidBox allowed) {
        List<String> hosts = new ArrayList<>();
        boolean said = false;
        for (Directive rule : access) {
            if (!rule.word(0).equals(name(peer))) {
                continue;
            }
            said = true;
            List<String> names = names(rule);
            boolean all = rule.words().size() == 3 && rule.word(2).equals("all");
            if (all) {
                if (rule.word(1).equals("allow") && hosts.isEmpty()) {
                    return within(List.of(), allowed);
                }
                break;
            }
            if (!rule.word(1).equals("allow") || names == null) {
                findings.left(rule.at(), rule.text(), "a peer has hosts that it serves; the peer is left out");
                return null;
            }
            hosts.addAll(names);
        }
        return said && hosts.isEmpty() ? null : within(hosts, allowed);
    }

    private static @Nullable List<String> within(List<String> hosts, SquidBox allowed) {
        List<String> limit = allowed.hosts();
        if (limit == null) {
            return hosts;
        }
        List<String> both =
                hosts.isEmpty() ? limit : hosts.stream().filter(limit::contains).toList();
        return both.isEmpty() ? null : both;
    }

    private @Nullable List<String> names(Directive rule) {
        SquidAcls.Acl acl = rule.words().size() == 3 ? acls.named(rule.word(2)) : null;
        return acl != null && acl.test() instanceof SquidAcls.Hosts h ? h.names() : null;
    }

    private void origins(List<Directive> peers, Section route) {
        List<Section> servers = new ArrayList<>();
        for (Directive peer : peers) {
            boolean tls = peer.words().contains("ssl") || peer.words().contains("tls");
            String weight = SquidListeners.option(peer, "weight=", "1");
            String host = peer.word(0).indexOf(':') >= 0 ? "[" + peer.word(0) + "]" : peer.word(0);
            Section server = new Section()
                    .from(peer.at())
                    .put("url", (tls ? "https://" : "http://") + host + ":" + peer.word(2));
            if (weight.matches("[1-9][0-9]{0,2}") && !weight.equals("1")) {
                server.put("weight", weight);
            }
            servers.add(server);
            if (peer.words().stream().anyMatch(w -> w.startsWith("login="))) {
                findings.left(peer.at(), "cache_peer login=", "use set-request-headers with Authorization");
            }
            if (peer.words().stream()
                    .anyMatch(w -> w.equals("userhash") || w.equals("sourcehash") || w.equals("carp"))) {
                findings.note(peer.at(), "cache_peer: set balance: hash of the pool for the same choice of server");
            }
        }
        if (servers.size() == 1) {
            route.put(
                    "origins",
                    List.of(String.valueOf(servers.getFirst().text("url"))),
                    peers.getFirst().at());
            return;
        }
        String pool = name(peers.getFirst()).replaceAll("[^A-Za-z0-9_-]", "-");
        Section made = root.section("proxy.origins")
                .section(pool)
                .from(peers.getFirst().at());
        made.list("servers").addAll(servers);
        made.section("sticky").put("enabled", "off");
        route.put("pool", pool);
    }
}
