package io.weir.server.migrate.sun;

import io.weir.base.ConfigNode.Place;
import io.weir.server.migrate.draft.Findings;
import io.weir.server.migrate.draft.RouteDraft;
import io.weir.server.migrate.draft.Section;
import io.weir.server.migrate.draft.YamlDraft;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The tunnels that an {@code obj.conf} opens, as one route with their ports. Used once. */
final class ObjConfTunnels {
    private static final List<String> REFUSING = List.of("auth", "functions", "allowed-methods");
    private static final int LAST_PORT = 65_535;

    private final Findings findings;
    private final List<String> ports = new ArrayList<>();
    private final List<Integer> others = new ArrayList<>();
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

    /** Tunnels to a port are refused; null: to those that are not named. */
    void refuse(@Nullable String port) {
        if (port != null) {
            others.add(Integer.valueOf(port));
        }
    }

    /**
     * Tunnels to a port are opened.
     *
     * @param port null: those that are not named
     * @param named an object for CONNECT applies to them
     * @param set what applies to them
     */
    void open(@Nullable String port, boolean named, Place from, RouteDraft set) {
        if (port == null && !named) {
            findings.note(
                    from,
                    "CONNECT: the source tunnels to each port that no ppath names; add those that are used to connect.ports");
            return;
        }
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
        if (port == null) {
            ports.clear();
            ports.addAll(rest());
        } else {
            ports.add(port);
        }
    }

    /** All ports but those that are refused. */
    private List<String> rest() {
        List<String> ranges = new ArrayList<>();
        int next = 1;
        others.sort(Comparator.naturalOrder());
        for (int other : others) {
            range(next, other - 1, ranges);
            next = other + 1;
        }
        range(next, LAST_PORT, ranges);
        return ranges;
    }

    private static void range(int first, int last, List<String> into) {
        if (first <= last) {
            into.add(first == last ? String.valueOf(first) : first + "-" + last);
        }
    }

    private static String written(Section s) {
        return YamlDraft.text(s, "", new Findings()).replaceAll("#.*", "");
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
