package io.weir.proxy.program.config;

import io.weir.base.Network;
import java.net.InetAddress;
import java.util.List;

/** The networks of {@code proxy.trusted-proxies}, whose Forwarded lists are kept. Immutable, shared. */
public final class TrustedProxies {
    private final List<Network> networks;

    /**
     * Reads the list.
     *
     * @throws IllegalArgumentException naming the entry
     */
    public TrustedProxies(List<String> networks) {
        this.networks = Network.all(networks);
    }

    public boolean contains(InetAddress client) {
        return !networks.isEmpty() && Network.anyContains(networks, client.getAddress());
    }
}
