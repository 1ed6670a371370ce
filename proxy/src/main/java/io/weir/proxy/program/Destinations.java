package io.weir.proxy.program;

import java.net.InetAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The rules of {@code proxy.destinations}. Immutable, shared. */
public final class Destinations {
    private Destinations() {}

    /**
     * Reads the section.
     *
     * @throws IllegalArgumentException naming the entry and what was expected
     */
    public static Destinations of(DestinationsConfig config) {
        return new Destinations();
    }

    /** Whether this client may use the forward proxy and tunnels; null: yes. */
    public @Nullable DestinationRefusal client(InetAddress client) {
        return null;
    }

    /**
     * Whether a name and port may be asked for; null: yes. The addresses that the name resolves to are checked by
     * {@link #address} all the same.
     *
     * @param tunnelPorts the ports of the CONNECT route; null: plain forwarding
     */
    public @Nullable DestinationRefusal host(String host, int port, @Nullable PortRules tunnelPorts) {
        return null;
    }

    /** Whether a resolved address may be connected to for this client; null: yes. */
    public @Nullable DestinationRefusal address(InetAddress address, InetAddress client) {
        return null;
    }

    /** Those of the resolved addresses that may be connected to, in order; empty: refuse with the first one's reason. */
    public List<InetAddress> allowed(List<InetAddress> addresses, InetAddress client) {
        return addresses.stream().filter(a -> address(a, client) == null).toList();
    }
}
