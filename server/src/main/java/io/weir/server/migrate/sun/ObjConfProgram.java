package io.weir.server.migrate.sun;

import io.weir.proxy.program.objconf.ObjConfReader.Read;
import io.weir.proxy.program.objconf.ObjConfReader.Written;
import io.weir.proxy.program.objconf.ObjConfReader.WrittenObject;
import io.weir.proxy.program.objconf.WrittenCondition;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The objects of an {@code obj.conf}. Immutable.
 *
 * @param start the default object; null: there is none
 * @param named by their names in lower case
 * @param byPath those with a ppath, the shortest first
 */
record ObjConfProgram(@Nullable WrittenObject start, Map<String, WrittenObject> named, List<WrittenObject> byPath) {
    static ObjConfProgram of(Read read) {
        Map<String, WrittenObject> named = new LinkedHashMap<>();
        List<WrittenObject> byPath = new ArrayList<>();
        for (WrittenObject o : read.objects()) {
            if (o.name() != null) {
                // an object that stands twice is one
                named.merge(o.name().toLowerCase(Locale.ROOT), o, ObjConfProgram::joined);
            }
            if (o.ppath() != null) {
                byPath.add(o);
            }
        }
        byPath.sort(Comparator.comparingInt(o -> String.valueOf(o.ppath()).length()));
        return new ObjConfProgram(named.get("default"), named, List.copyOf(byPath));
    }

    private static WrittenObject joined(WrittenObject a, WrittenObject b) {
        List<Written> all = new ArrayList<>(a.directives());
        all.addAll(b.directives());
        return new WrittenObject(a.name(), a.ppath(), all, a.at());
    }

    /** What an object for CONNECT selects; null: it is for other requests. */
    private static ObjConfConditions.@Nullable Ppath tunnel(WrittenObject o) {
        ObjConfConditions.Ppath p = ObjConfConditions.ppath(String.valueOf(o.ppath()));
        return p != null && p.scheme().equals("connect") ? p : null;
    }

    /** Ports of tunnels that are not like others: 443 is what a tunnel has that no object speaks of. */
    Set<String> ports() {
        Set<String> ports = new LinkedHashSet<>();
        for (WrittenObject o : byPath) {
            ObjConfConditions.Ppath p = tunnel(o);
            Set<String> named = p == null ? null : p.ports();
            if (named != null) {
                ports.addAll(named);
            }
        }
        ports.add("443");
        return ports;
    }

    /** The object that a directive names; null: there is none. */
    @Nullable
    WrittenObject target(Written w) {
        String name = w.value("name");
        return name == null ? null : named.get(name.toLowerCase(Locale.ROOT));
    }

    private List<Written> directives() {
        List<Written> all = new ArrayList<>();
        named.values().forEach(o -> all.addAll(o.directives()));
        byPath.stream().filter(o -> o.name() == null && tunnel(o) == null).forEach(o -> all.addAll(o.directives()));
        return all;
    }

    /** Whether a condition asks for the virtual server. */
    boolean asksForServer() {
        return directives().stream()
                .anyMatch(
                        w -> tests(w.when()).stream().anyMatch(t -> t.variable().equals("id")));
    }

    /** Hosts that conditions, ppaths and URLs name: names, then suffixes, the longest first. */
    List<String> hosts() {
        Set<String> hosts = new LinkedHashSet<>();
        for (Written w : directives()) {
            for (WrittenCondition.Test test : tests(w.when())) {
                List<String> asked = test.variable().equals("urlhost") ? ObjConfConditions.hosts(test) : null;
                if (asked != null) {
                    hosts.addAll(asked);
                }
            }
            String from = w.stage().equals("NameTrans") ? w.value("from") : null;
            ObjConfConditions.Ppath url = from == null ? null : ObjConfConditions.ppath(from);
            if (url != null && !url.everyHost()) {
                hosts.add(url.host());
            }
        }
        for (WrittenObject o : byPath) {
            ObjConfConditions.Ppath p = ObjConfConditions.ppath(String.valueOf(o.ppath()));
            String host = p == null || p.everyHost() || tunnel(o) != null ? null : ObjConfConditions.hostOf(p);
            if (host != null) {
                hosts.add(host);
            }
        }
        hosts.remove("*");
        return hosts.stream()
                .filter(h -> ObjConfConditions.isHost(h))
                .sorted(Comparator.comparingInt((String h) -> h.startsWith("*.") ? 1 : 0)
                        .thenComparingInt(h -> h.startsWith("*.") ? -h.length() : 0))
                .toList();
    }

    private static List<WrittenCondition.Test> tests(WrittenCondition condition) {
        return switch (condition) {
            case WrittenCondition.Test t -> List.of(t);
            case WrittenCondition.Not n -> tests(n.of());
            case WrittenCondition.All a ->
                a.of().stream().flatMap(c -> tests(c).stream()).toList();
            case WrittenCondition.Any a ->
                a.of().stream().flatMap(c -> tests(c).stream()).toList();
            case WrittenCondition.Other _ -> List.of();
        };
    }
}
