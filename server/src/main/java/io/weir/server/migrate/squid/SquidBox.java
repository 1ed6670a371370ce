package io.weir.server.migrate.squid;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A set of requests that one route and {@code proxy.destinations} can say: what each part of a request may be. Immutable.
 *
 * @param methods null: every one
 * @param hosts those that may be reached; null: every one
 * @param without hosts that may not
 * @param networks destinations that may not be reached
 * @param expressions over URLs that are refused, in Weir's form
 * @param users null: nobody logs in; empty: everybody does
 * @param addressed whether URLs with an address instead of a name are refused
 */
record SquidBox(
        AddressSet clients,
        PortSet ports,
        @Nullable List<String> methods,
        @Nullable List<String> hosts,
        List<String> without,
        AddressSet networks,
        List<String> expressions,
        @Nullable List<String> users,
        boolean addressed) {
    private static final AddressSet LOOPBACK = SquidAcls.networks("127.0.0.0/8", "::1");

    /** Every request. */
    static final SquidBox EVERY =
            new SquidBox(AddressSet.ALL, PortSet.ALL, null, null, List.of(), AddressSet.NONE, List.of(), null, false);

    boolean isEmpty() {
        return clients.isEmpty() || ports.isEmpty() || (methods != null && methods.isEmpty());
    }

    SquidBox clients(AddressSet of) {
        return new SquidBox(of, ports, methods, hosts, without, networks, expressions, users, addressed);
    }

    SquidBox ports(PortSet of) {
        return new SquidBox(clients, of, methods, hosts, without, networks, expressions, users, addressed);
    }

    SquidBox methods(List<String> of) {
        List<String> both =
                methods == null ? of : methods.stream().filter(of::contains).toList();
        return new SquidBox(clients, ports, both, hosts, without, networks, expressions, users, addressed);
    }

    SquidBox hosts(List<String> of) {
        return new SquidBox(clients, ports, methods, of, without, networks, expressions, users, addressed);
    }

    SquidBox without(List<String> more, boolean byName) {
        return new SquidBox(
                clients,
                ports,
                methods,
                hosts,
                joined(without, more),
                networks,
                expressions,
                users,
                addressed || !byName);
    }

    SquidBox networks(AddressSet more) {
        return new SquidBox(
                clients, ports, methods, hosts, without, networks.union(more), expressions, users, addressed);
    }

    SquidBox expressions(List<String> more) {
        return new SquidBox(
                clients, ports, methods, hosts, without, networks, joined(expressions, more), users, addressed);
    }

    SquidBox users(List<String> of) {
        return new SquidBox(clients, ports, methods, hosts, without, networks, expressions, of, addressed);
    }

    private static List<String> joined(List<String> a, List<String> b) {
        List<String> all = new ArrayList<>(a);
        b.stream().filter(x -> !a.contains(x)).forEach(all::add);
        return List.copyOf(all);
    }

    /** Both sets as one, if they differ in clients or in ports alone, or one has all of the other; else null. */
    @Nullable
    SquidBox or(SquidBox other) {
        if (other.ports(ports).clients(clients).equals(this)) {
            if (ports.equals(other.ports)) {
                return clients(clients.union(other.clients));
            }
            if (clients.equals(other.clients)) {
                return ports(ports.union(other.ports));
            }
        }
        return covers(other) ? this : other.covers(this) ? other : null;
    }

    /**
     * The clients of both, with what both may: no more than either allows its own. Null: users or hosts differ, or nothing
     * is left.
     */
    @Nullable
    SquidBox narrowed(SquidBox o) {
        if (!Objects.equals(hosts, o.hosts) || !Objects.equals(users, o.users)) {
            return null;
        }
        List<String> both = o.methods == null ? methods : o.methods;
        if (methods != null && o.methods != null) {
            both = methods.stream().filter(o.methods::contains).toList();
        }
        SquidBox made = new SquidBox(
                clients.union(o.clients),
                ports.and(o.ports),
                both,
                hosts,
                joined(without, o.without),
                reached(o).union(o.reached(this)),
                joined(expressions, o.expressions),
                users,
                addressed || o.addressed);
        return made.isEmpty() ? null : made;
    }

    /**
     * What its clients may not reach, but for this machine where the others are on it and may: Weir refuses this machine to
     * all others anyway.
     */
    private AddressSet reached(SquidBox others) {
        boolean local = LOOPBACK.contains(others.clients)
                && others.networks.and(LOOPBACK).isEmpty();
        return local ? networks.without(LOOPBACK) : networks;
    }

    /** Whether they differ in more than clients and destinations. */
    boolean differs(SquidBox o) {
        return !o.clients(clients)
                .equals(new SquidBox(
                        clients, ports, methods, hosts, without, o.networks, expressions, users, addressed));
    }

    /** Whether it certainly has all requests of the other. */
    private boolean covers(SquidBox o) {
        return clients.contains(o.clients)
                && ports.contains(o.ports)
                && (methods == null || (o.methods != null && methods.containsAll(o.methods)))
                && (hosts == null || (o.hosts != null && hosts.containsAll(o.hosts)))
                && o.without.containsAll(without)
                && o.networks.contains(networks)
                && o.expressions.containsAll(expressions)
                && (users == null || Objects.equals(users, o.users) || (users.isEmpty() && o.users != null))
                && (!addressed || o.addressed);
    }
}
