package io.weir.proxy.program.destination;

import io.netty.util.NetUtil;
import io.weir.base.Network;
import io.weir.proxy.cache.store.FetchedFrom;
import io.weir.proxy.cache.store.Permission.Audience;
import io.weir.proxy.program.config.DestinationsConfig;
import io.weir.proxy.program.match.ByteTable;
import io.weir.proxy.program.match.HostPattern;
import io.weir.proxy.program.match.HostTable;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The rules of {@code proxy.destinations}: pure functions of the client and the host when a request is checked, and of
 * the resolved address when a connection is made. Immutable, shared.
 *
 * <p>An address passes if no {@code deny} network contains it and it is an ordinary public one, or an {@code allow}
 * network contains it, or client and address are both loopback and {@code loopback-for-loopback} is on. An IPv4 address
 * embedded in an IPv6 one is subject to the same rules.
 */
public final class DestinationRules {
    /** Names of this machine's own address (RFC 6761 section 6.3). */
    private static final Pattern LOCAL_NAME = Pattern.compile("(.*\\.)?localhost", Pattern.CASE_INSENSITIVE);

    /** The end of an old form of an address, such as 127.1 or 0x7f000001, which some resolvers take. */
    private static final Pattern NUMBER = Pattern.compile("(^|\\.)(\\d+|0x[0-9a-f]*)$", Pattern.CASE_INSENSITIVE);

    /** An address of numbers of which one has a leading zero. */
    private static final Pattern OCTAL = Pattern.compile("^(\\d+\\.)*0\\d+(\\.\\d+)*$");

    private final List<Network> clients;
    private final List<Network> allow;
    private final List<Network> deny;
    private final @Nullable HostTable<Boolean> allowHosts;
    private final HostTable<Boolean> denyHosts;
    private final boolean loopbackForLoopback;
    private final @Nullable PortRules ports;
    // each represents clients that these rules, and never any others, treat alike
    private final Audience anyClient = new Audience();
    private final Audience localClient = new Audience();
    private final Audience anyClientNamed = new Audience();
    private final Audience localClientNamed = new Audience();

    private DestinationRules(DestinationsConfig config, BiConsumer<String, String> problem) {
        this.clients = networks(config.clients(), "clients", problem);
        this.allow = networks(config.allow(), "allow", problem);
        this.deny = networks(config.deny(), "deny", problem);
        this.allowHosts = config.allowHosts().isEmpty() ? null : hosts(config.allowHosts(), "allow-hosts", problem);
        this.denyHosts = hosts(config.denyHosts(), "deny-hosts", problem);
        // not of allow-hosts: what may be meant is denied, and not allowed
        config.denyHosts().stream()
                .flatMap(host -> AddressKinds.readings(HostPattern.of(host)).stream())
                .forEach(reading -> denyHosts.putIfAbsent(reading, true));
        this.loopbackForLoopback = config.loopbackForLoopback();
        this.ports = ports(config.ports(), problem);
    }

    /**
     * Reads the section.
     *
     * @throws IllegalArgumentException naming the first invalid entry and what was expected
     */
    public static DestinationRules of(DestinationsConfig config) {
        return of(config, (key, what) -> {
            throw new IllegalArgumentException("proxy.destinations." + key + ": " + what);
        });
    }

    /** Reads the section and reports every problem: its key and description. */
    public static DestinationRules of(DestinationsConfig config, BiConsumer<String, String> problem) {
        return new DestinationRules(config, problem);
    }

    private static List<Network> networks(List<String> texts, String key, BiConsumer<String, String> problem) {
        List<Network> networks = new ArrayList<>();
        for (String text : texts) {
            try {
                networks.add(Network.parse(text));
            } catch (IllegalArgumentException e) {
                problem.accept(key, String.valueOf(e.getMessage()));
            }
        }
        return List.copyOf(networks);
    }

    private static HostTable<Boolean> hosts(List<String> texts, String key, BiConsumer<String, String> problem) {
        HostTable<Boolean> table = new HostTable<>();
        for (String text : texts) {
            String pattern = HostPattern.of(text);
            String name = pattern.startsWith("*.") ? pattern.substring(2) : pattern;
            if (!name.matches("[A-Za-z0-9_:]([A-Za-z0-9_.:-]*[A-Za-z0-9_:])?")) {
                problem.accept(key, "expected a host name or *.name, without port, found \"" + text + "\"");
            } else {
                table.putIfAbsent(pattern, true);
            }
        }
        return table;
    }

    private static @Nullable PortRules ports(List<String> texts, BiConsumer<String, String> problem) {
        try {
            return texts.isEmpty() ? null : PortRules.of(texts);
        } catch (IllegalArgumentException e) {
            problem.accept("ports", String.valueOf(e.getMessage()));
            return null;
        }
    }

    /** Whether this client may use the forward proxy and tunnels; null: yes. */
    public @Nullable DestinationRefusal client(InetAddress client) {
        byte[] address = client.getAddress();
        byte[] inside = AddressKinds.inside(address);
        boolean mapped = inside != null && client.getAddress().length == 16 && isMapped(address);
        return Network.anyContains(clients, address)
                        || (mapped && inside != null && Network.anyContains(clients, inside))
                ? null
                : DestinationRefusal.CLIENT;
    }

    /** Only a mapped address is the IPv4 client itself; the other forms can be forged. */
    private static boolean isMapped(byte[] a) {
        return a[10] == (byte) 0xff && a[11] == (byte) 0xff && a[0] == 0 && a[1] == 0;
    }

    /**
     * Whether a host and port may be requested; null: yes. The addresses that the name resolves to are still checked by
     * {@link #address}.
     *
     * @param host name or address literal without brackets
     * @param tunnelPorts the ports of the CONNECT route; null: plain forwarding
     */
    public @Nullable DestinationRefusal host(String host, int port, @Nullable PortRules tunnelPorts) {
        PortRules allowed = tunnelPorts == null ? ports : tunnelPorts;
        boolean open = allowed == null ? port == 80 || port == 443 || port >= 1024 : allowed.contains(port);
        if (!open) {
            return DestinationRefusal.PORT;
        }
        String name = host.endsWith(".") ? host.substring(0, host.length() - 1) : host;
        byte[] bytes = ByteTable.lower(name);
        if (bytes.length == 0 || isDenied(bytes) || isReadAsDenied(name)) {
            return DestinationRefusal.HOST_DENIED;
        }
        return allowHosts == null || allowHosts.find(bytes, 0, bytes.length) != null
                ? null
                : DestinationRefusal.HOST_NOT_ALLOWED;
    }

    private boolean isDenied(byte[] name) {
        return denyHosts.find(name, 0, name.length) != null;
    }

    private boolean isReadAsDenied(String host) {
        for (String reading : AddressKinds.readings(host)) {
            if (isDenied(ByteTable.lower(reading))) {
                return true;
            }
        }
        return false;
    }

    /**
     * Whether a host may be asked for that a proxy behind this one resolves; null: yes. Addresses are checked as if it
     * were connected to them here, in whatever way they are written; the addresses of a name are that proxy's matter.
     *
     * @param host name or address literal without brackets
     */
    public @Nullable DestinationRefusal unresolved(String host, InetAddress client) {
        String name = host.endsWith(".") ? host.substring(0, host.length() - 1) : host;
        if (OCTAL.matcher(name).find()) {
            // read as decimal here, as octal by some resolvers
            return DestinationRefusal.RESERVED;
        }
        InetAddress literal = NetUtil.createInetAddressFromIpAddressString(name);
        if (literal != null) {
            return address(literal, client);
        }
        if (LOCAL_NAME.matcher(name).matches()) {
            return address(InetAddress.getLoopbackAddress(), client);
        }
        return NUMBER.matcher(name).find() ? DestinationRefusal.RESERVED : null;
    }

    /** Whether a resolved address may be connected to for this client; null: yes. */
    public @Nullable DestinationRefusal address(InetAddress address, InetAddress client) {
        return address(address, local(client));
    }

    /** The only property of a client that the address rules use. */
    private boolean local(InetAddress client) {
        return loopbackForLoopback && client.isLoopbackAddress();
    }

    /** Whether this client may get an answer that was fetched from there. */
    public boolean mayHave(FetchedFrom from, InetAddress client) {
        Audience passed = from.passed();
        if (passed == anyClient || (passed == localClient && local(client))) {
            return true;
        }
        Audience passing = from.all(a -> address(a, false) == null)
                ? anyClient
                : local(client) && from.all(a -> address(a, true) == null) ? localClient : null;
        if (passing != null) {
            from.pass(passing);
        }
        return passing != null;
    }

    /**
     * Represents the clients that these rules treat like this one.
     *
     * @param forwarded whether the request is certain to be forwarded
     */
    public Audience audience(boolean forwarded, InetAddress client) {
        if (local(client)) {
            return forwarded ? localClient : localClientNamed;
        }
        return forwarded ? anyClient : anyClientNamed;
    }

    private @Nullable DestinationRefusal address(InetAddress address, boolean local) {
        byte[] outer = address.getAddress();
        byte[] inner = AddressKinds.inside(outer);
        if (Network.anyContains(deny, outer) || (inner != null && Network.anyContains(deny, inner))) {
            return DestinationRefusal.ADDRESS_DENIED;
        }
        if (Network.anyContains(allow, outer) || (inner != null && Network.anyContains(allow, inner))) {
            return null;
        }
        DestinationRefusal special = inner == null ? null : AddressKinds.special(inner);
        special = special == null ? AddressKinds.special(outer) : special;
        return local && special == DestinationRefusal.LOOPBACK ? null : special;
    }

    /** The resolved addresses that may be connected to, in order; empty: refuse with the first one's reason. */
    public List<InetAddress> allowed(List<InetAddress> addresses, InetAddress client) {
        List<InetAddress> open = new ArrayList<>(addresses.size());
        for (InetAddress a : addresses) {
            if (address(a, client) == null) {
                open.add(a);
            }
        }
        return open;
    }
}
