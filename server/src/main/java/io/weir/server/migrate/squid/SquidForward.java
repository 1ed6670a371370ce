package io.weir.server.migrate.squid;

import io.weir.base.ConfigNode.Place;
import io.weir.server.migrate.draft.Findings;
import io.weir.server.migrate.draft.Section;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The forward proxy: two routes, and {@code proxy.destinations}, which both share. Where their sets of requests differ in
 * what they share, the smaller one applies to both. Used once.
 */
final class SquidForward {
    private static final int MAX_NETWORKS = 5000;

    private final Section root;
    private final Findings findings;
    private final SquidUsers users;
    private final @Nullable String server;
    private final Section fields;

    SquidForward(Section root, Findings findings, SquidUsers users, @Nullable String server, Section fields) {
        this.root = root;
        this.findings = findings;
        this.users = users;
        this.server = server;
        this.fields = fields;
    }

    /**
     * @param access null: nothing is allowed
     * @param tunnels whether CONNECT may be
     */
    void write(@Nullable SquidAccess access, boolean tunnels, List<Section> routes) {
        SquidBox plain = access == null ? null : access.allowed(SquidAccess.Kind.FORWARD);
        SquidBox tunnel = access == null || !tunnels ? null : access.allowed(SquidAccess.Kind.TUNNEL);
        if (plain != null && tunnel != null && !alike(plain, tunnel)) {
            SquidBox both = shared(plain, tunnel);
            if (both == null) {
                left("what plain requests and tunnels may reach has nothing in common; tunnels are refused");
                tunnel = null;
            } else {
                left("plain requests and tunnels share clients and hosts; what only one of them allows is refused");
                plain = put(plain, both);
                tunnel = put(tunnel, both);
            }
        }
        SquidBox any = plain == null ? tunnel : plain;
        if (any == null) {
            destinations().put("clients", List.of());
            return;
        }
        if (!destinations(plain, any)) {
            return;
        }
        if (plain != null) {
            routes.add(route(plain).put("forward", "on"));
        }
        if (tunnel != null) {
            Section route = route(tunnel);
            route.section("connect")
                    .put("enabled", "on")
                    .put("ports", tunnel.ports().texts());
            routes.add(route);
        }
    }

    private void left(String why) {
        findings.left(Place.of("squid.conf"), "http_access", why);
    }

    private Section destinations() {
        return root.section("proxy.destinations");
    }

    private static boolean alike(SquidBox a, SquidBox b) {
        return a.clients().equals(b.clients())
                && java.util.Objects.equals(a.hosts(), b.hosts())
                && a.without().equals(b.without())
                && a.networks().equals(b.networks());
    }

    private static @Nullable SquidBox shared(SquidBox a, SquidBox b) {
        AddressSet clients = a.clients().and(b.clients());
        List<String> hosts = a.hosts();
        List<String> others = b.hosts();
        if (hosts == null) {
            hosts = others;
        } else if (others != null) {
            hosts = hosts.stream().filter(others::contains).toList();
        }
        if (clients.isEmpty() || (hosts != null && hosts.isEmpty())) {
            return null;
        }
        SquidBox both = SquidBox.EVERY.clients(clients).networks(a.networks().union(b.networks()));
        both = hosts == null ? both : both.hosts(hosts);
        return both.without(a.without(), true).without(b.without(), true);
    }

    private static SquidBox put(SquidBox of, SquidBox shared) {
        return new SquidBox(
                shared.clients(),
                of.ports(),
                of.methods(),
                shared.hosts(),
                shared.without(),
                shared.networks(),
                of.expressions(),
                of.users(),
                of.addressed());
    }

    private boolean destinations(@Nullable SquidBox plain, SquidBox any) {
        Section d = destinations();
        List<String> clients = any.clients().networks();
        if (clients.size() > MAX_NETWORKS) {
            left("its clients are more than " + MAX_NETWORKS + " networks; all requests are refused");
            d.put("clients", List.of());
            return false;
        }
        d.put("clients", clients);
        if (any.clients().equals(AddressSet.ALL)) {
            findings.note(Place.of("squid.conf"), "http_access: everybody may use this proxy, as in the source");
        }
        List<String> hosts = any.hosts();
        if (hosts != null) {
            d.put("allow-hosts", hosts);
        }
        if (!any.without().isEmpty()) {
            d.put("deny-hosts", any.without());
        }
        if (!any.networks().isEmpty()) {
            d.put("deny", any.networks().networks());
        }
        if (plain != null) {
            d.put("ports", plain.ports().texts());
        }
        findings.note(
                Place.of("squid.conf"),
                "private addresses are refused as destinations until proxy.destinations.allow names their networks");
        return true;
    }

    private Section route(SquidBox box) {
        Section route = new Section();
        if (server != null) {
            route.put("virtual-server", server);
        }
        restrict(route, box, users, findings);
        fields.entries().forEach((key, e) -> route.entries().put(key, e));
        return route;
    }

    /** What a route itself says of a set of requests. */
    static void restrict(Section route, SquidBox box, SquidUsers users, Findings findings) {
        List<String> methods = box.methods();
        if (methods != null) {
            route.put("allowed-methods", methods);
        }
        List<String> names = box.users();
        if (names != null) {
            users.write(route, names, findings);
        }
        List<String> refused = new ArrayList<>(box.expressions());
        if (box.addressed()) {
            refused.add(SquidRegex.ADDRESSED);
            findings.note(
                    Place.of("squid.conf"),
                    "URLs with an address in place of a host are refused, because an acl dstdomain without -n looks up the"
                            + " address's name in Squid and Weir does not: give the acl -n if its names alone decide");
        }
        for (String regex : refused) {
            Section f = new Section().put("name", "url-filter");
            f.section("parameters").put("deny", regex);
            route.list("functions").add(f);
        }
    }
}
