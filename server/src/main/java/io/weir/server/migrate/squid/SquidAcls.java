package io.weir.server.migrate.squid;

import io.weir.base.ConfigNode.Place;
import io.weir.server.migrate.draft.Findings;
import io.weir.server.migrate.draft.Methods;
import io.weir.server.migrate.draft.SourceFile;
import io.weir.server.migrate.squid.SquidParser.Directive;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The acl lines of a {@code squid.conf}, with those that Squid has from the start. Confined to one migration.
 *
 */
final class SquidAcls {
    private static final int MAX_FILE = 4 << 20;

    /** What requests must be for an acl to match. */
    sealed interface Test permits Clients, Destinations, Hosts, Ports, Methods, Url, Path, Users, Schemes, Unknown {}

    record Clients(AddressSet addresses) implements Test {}

    record Destinations(AddressSet addresses) implements Test {}

    /** @param byName addresses in URLs are not looked up */
    record Hosts(List<String> names, boolean byName) implements Test {}

    record Ports(PortSet ports) implements Test {}

    record Methods(Set<String> names) implements Test {}

    record Url(List<String> expressions) implements Test {}

    record Path(List<String> expressions) implements Test {}

    /** @param names empty: all */
    record Users(List<String> names) implements Test {}

    record Schemes(Set<String> names) implements Test {}

    /** @param why no counterpart */
    record Unknown(String why) implements Test {}

    /** An acl. */
    record Acl(String name, Test test, Place at) {}

    private final Findings findings;
    private final Map<String, Acl> acls = new HashMap<>();

    SquidAcls(Findings findings) {
        this.findings = findings;
        Place own = Place.of("squid");
        put("all", new Clients(AddressSet.ALL), own);
        put("localhost", new Clients(networks("127.0.0.1", "::1")), own);
        put("to_localhost", new Destinations(networks("127.0.0.0/8", "0.0.0.0/32", "::1", "::")), own);
        put("to_linklocal", new Destinations(networks("169.254.0.0/16", "fe80::/10")), own);
        put("manager", new Url(List.of("^(cache_object://|https?://[^/]+/squid-internal-mgr)")), own);
        put("CONNECT", new Methods(Set.of("CONNECT")), own);
    }

    private void put(String name, Test test, Place at) {
        acls.put(name, new Acl(name, test, at));
    }

    static AddressSet networks(String... texts) {
        AddressSet all = AddressSet.NONE;
        for (String text : texts) {
            AddressSet one = AddressSet.parse(text);
            all = one == null ? all : all.union(one);
        }
        return all;
    }

    /** The acl of that name; null: there is none. */
    @Nullable
    Acl named(String name) {
        return acls.get(name);
    }

    /** All names. */
    Set<String> names() {
        return acls.keySet();
    }

    /** Reads an acl line. */
    void read(Directive d) {
        if (d.words().size() < 2) {
            findings.problem(d.at(), "acl: expected a name, a type and values, found \"" + d.rest(0) + "\"");
            return;
        }
        List<String> flags = new ArrayList<>();
        List<String> values = new ArrayList<>();
        for (String word : d.words().subList(2, d.words().size())) {
            if (values.isEmpty() && word.matches("-[in]|--")) {
                flags.add(word);
            } else {
                values.addAll(values(d, word));
            }
        }
        Test test = test(d, d.word(1), flags, values);
        Acl known = acls.get(d.word(0));
        boolean own = known == null || known.at().line() == 0;
        Test joined = own || known == null ? test : joined(d, known.test(), test);
        acls.put(d.word(0), new Acl(d.word(0), joined, own || known == null ? d.at() : known.at()));
    }

    /** A value, or those of a file in quotes. */
    private List<String> values(Directive d, String word) {
        if (!word.startsWith("\"") || !word.endsWith("\"") || word.length() < 3) {
            return List.of(word);
        }
        String text = SourceFile.beside(d.at().source(), word.substring(1, word.length() - 1), MAX_FILE);
        if (text == null) {
            findings.problem(d.at(), "acl " + d.word(0) + ": the file " + word + " cannot be read");
            return List.of();
        }
        return text.lines()
                .map(String::strip)
                .filter(l -> !l.isEmpty() && !l.startsWith("#"))
                .toList();
    }

    private Test test(Directive d, String type, List<String> flags, List<String> values) {
        return switch (type) {
            case "src" -> addresses(d, values, false);
            case "dst" -> addresses(d, values, true);
            case "dstdomain" -> hosts(d, values, flags.contains("-n"));
            case "port" -> ports(d, values);
            case "method" -> new Methods(Set.copyOf(values));
            case "url_regex" -> new Url(values);
            case "urlpath_regex" -> new Path(values);
            case "dstdom_regex" -> new Unknown("hosts are names and *.name");
            case "proxy_auth" ->
                values.contains("REQUIRED")
                        ? new Users(List.of())
                        : new Users(values.stream().toList());
            case "proto" ->
                new Schemes(Set.copyOf(values.stream().map(String::toLowerCase).toList()));
            case "time" -> new Unknown("rules do not depend on the time");
            default -> new Unknown("Weir has no rule by " + type);
        };
    }

    private Test addresses(Directive d, List<String> values, boolean destination) {
        AddressSet all = AddressSet.NONE;
        for (String value : values) {
            AddressSet one = AddressSet.parse(value);
            if (one == null && value.matches("[A-Za-z_][A-Za-z0-9_.-]*")) {
                return new Unknown("names such as " + value + " are not resolved for it");
            }
            if (one == null) {
                findings.problem(
                        d.at(),
                        "acl " + d.word(0) + ": expected an address, a network such as 10.0.0.0/8 or a range, found \""
                                + value + "\"");
            } else {
                all = all.union(one);
            }
        }
        return destination ? new Destinations(all) : new Clients(all);
    }

    private Test hosts(Directive d, List<String> values, boolean byName) {
        List<String> names = new ArrayList<>();
        for (String value : values) {
            boolean tree = value.startsWith(".");
            String name = tree ? value.substring(1) : value;
            if (!name.matches("[A-Za-z0-9_]([A-Za-z0-9_.-]*[A-Za-z0-9_])?")) {
                findings.problem(
                        d.at(),
                        "acl " + d.word(0) + ": expected a name such as www.example.com or .example.com, found \""
                                + value + "\"");
            } else {
                names.add(name);
                if (tree) {
                    names.add("*." + name);
                }
            }
        }
        return new Hosts(names, byName);
    }

    private Test ports(Directive d, List<String> values) {
        PortSet all = PortSet.NONE;
        for (String value : values) {
            PortSet one = PortSet.parse(value);
            if (one == null) {
                findings.problem(
                        d.at(),
                        "acl " + d.word(0) + ": expected a port or a range such as 1025-65535, found \"" + value
                                + "\"");
            } else {
                all = all.union(one);
            }
        }
        return new Ports(all);
    }

    /** Two lines of one acl: either matches. */
    private Test joined(Directive d, Test a, Test b) {
        return switch (a) {
            case Clients x
            when b instanceof Clients y -> new Clients(x.addresses().union(y.addresses()));
            case Destinations x
            when b instanceof Destinations y -> new Destinations(x.addresses().union(y.addresses()));
            case Hosts x when b instanceof Hosts y -> new Hosts(both(x.names(), y.names()), x.byName() && y.byName());
            case Ports x when b instanceof Ports y -> new Ports(x.ports().union(y.ports()));
            case Methods x
            when b instanceof Methods y ->
                new Methods(Set.copyOf(both(List.copyOf(x.names()), List.copyOf(y.names()))));
            case Url x when b instanceof Url y -> new Url(both(x.expressions(), y.expressions()));
            case Path x when b instanceof Path y -> new Path(both(x.expressions(), y.expressions()));
            case Users x
            when b instanceof Users y ->
                new Users(x.names().isEmpty() || y.names().isEmpty() ? List.of() : both(x.names(), y.names()));
            case Schemes x
            when b instanceof Schemes y ->
                new Schemes(Set.copyOf(both(List.copyOf(x.names()), List.copyOf(y.names()))));
            case Unknown x -> x;
            default -> {
                if (!(b instanceof Unknown)) {
                    findings.problem(d.at(), "acl " + d.word(0) + ": another line gave it another type");
                }
                yield b;
            }
        };
    }

    private static List<String> both(List<String> a, List<String> b) {
        List<String> all = new ArrayList<>(a);
        b.stream().filter(x -> !a.contains(x)).forEach(all::add);
        return all;
    }
}
