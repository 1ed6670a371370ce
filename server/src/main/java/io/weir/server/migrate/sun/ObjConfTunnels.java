package io.weir.server.migrate.sun;

import io.weir.base.ConfigNode.Place;
import io.weir.proxy.program.objconf.ObjConfReader.WrittenObject;
import io.weir.server.migrate.draft.Findings;
import io.weir.server.migrate.draft.RouteDraft;
import io.weir.server.migrate.draft.Section;
import io.weir.server.migrate.draft.YamlDraft;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Objects of {@code obj.conf} for CONNECT ({@code connect://host:port}) as one route with its ports. Used once.
 *
 */
final class ObjConfTunnels {
    private static final List<String> REFUSING = List.of("auth", "functions", "allowed-methods");

    private final Findings findings;
    private final List<String> ports = new ArrayList<>();
    private @Nullable Place at;
    private @Nullable Section settings;
    private boolean closed;

    ObjConfTunnels(Findings findings) {
        this.findings = findings;
    }

    /** Whether there are tunnels. */
    boolean any() {
        return !ports.isEmpty() && !closed;
    }

    /** An object that applies to tunnels, and what it and the default object set. */
    void add(ObjConfConditions.Ppath p, WrittenObject object, RouteDraft set) {
        boolean everyPort =
                p.port() == null || p.port().equals(".*") || p.port().equals("*");
        boolean port = p.port() != null && p.port().matches("[0-9]{1,5}");
        boolean refuses = set.refuses()
                || object.directives().stream()
                        .anyMatch(
                                w -> w.stage().equals("Service") && w.function().equals("deny-service"));
        if (refuses && p.everyHost() && everyPort) {
            // all tunnels that were not named before
            closed |= ports.isEmpty();
            at = at == null ? object.at() : at;
        } else if (refuses) {
            findings.left(object.at(), "ppath=" + object.ppath(), "one route has all tunnels; there are none");
            closed = true;
        } else if (p.everyHost() && (port || everyPort)) {
            add(port ? String.valueOf(p.port()) : "1-65535", object.at(), set);
        } else {
            findings.left(object.at(), "ppath=" + object.ppath(), "tunnels are limited by ports only; it opens none");
        }
    }

    private void add(String port, Place from, RouteDraft set) {
        at = at == null ? from : at;
        Section refusing = new Section();
        REFUSING.forEach(key -> {
            Section.Entry e = set.body.entries().get(key);
            if (e != null) {
                refusing.entries().put(key, e);
            }
        });
        if (settings != null && !written(settings).equals(written(refusing))) {
            findings.left(from, "tunnels", "one route has all of them, and their settings differ; there are none");
            closed = true;
        }
        settings = refusing;
        if (!ports.contains(port)) {
            ports.add(port);
        }
    }

    private static String written(Section s) {
        return YamlDraft.text(s, "", new Findings()).replaceAll("#.*", "");
    }

    /** Tunnels that no object speaks of: those of the default object, to port 443. */
    void byDefault(Place from, RouteDraft set) {
        if (at == null && !set.refuses()) {
            findings.note(from, "CONNECT: the source tunnels to every port; add those beside 443 to connect.ports");
            add("443", from, set);
        }
    }

    void write(List<Section> routes) {
        if (!any()) {
            return;
        }
        Section route = new Section();
        if (at != null) {
            route.from(at);
        }
        route.section("connect").put("enabled", "on").put("ports", ports);
        if (settings != null) {
            settings.entries().forEach((key, e) -> route.entries().put(key, e));
        }
        routes.add(route);
    }
}
