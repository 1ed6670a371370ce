package io.weir.proxy.pool;

import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/**
 * What makes origin connections interchangeable. Immutable.
 *
 * @param tls https
 * @param host name or address literal without brackets, lower case
 * @param port 1 to 65535
 * @param guarded reached through the forward proxy: its resolved address passed the destination rules, which a
 *     configured origin need not
 * @param address the address of the host that is meant, for names of which each address is a server; null: whatever the
 *     name resolves to
 * @param serverName the name that TLS asks for and that the certificate must be for; null: the host
 * @param http2 it speaks HTTP/2 from the first byte, where there is no TLS to agree on that
 */
public record OriginKey(
        boolean tls,
        String host,
        int port,
        boolean guarded,
        @Nullable InetAddress address,
        @Nullable String serverName,
        boolean http2) {
    /** An origin by its name alone. */
    public OriginKey(boolean tls, String host, int port, boolean guarded) {
        this(tls, host, port, guarded, null, null, false);
    }

    /** The same origin at one of its addresses. */
    public OriginKey at(InetAddress one) {
        return new OriginKey(tls, host, port, guarded, one, serverName, http2);
    }

    /** The same origin under a name of its own in TLS; null: its host. */
    public OriginKey named(@Nullable String name) {
        return new OriginKey(tls, host, port, guarded, address, name, http2);
    }

    /** What is sent as SNI, unless it is an address, and what the certificate must be for. */
    public String tlsName() {
        return serverName == null ? host : serverName;
    }

    /** The same origin, spoken to in HTTP/2 or not. */
    public OriginKey overHttp2(boolean on) {
        return new OriginKey(tls, host, port, guarded, address, serverName, on);
    }

    /** The authority for the Host field: the default port left out, IPv6 in brackets. */
    public String authority() {
        String name = host.indexOf(':') >= 0 ? "[" + host + "]" : host;
        return port == (tls ? 443 : 80) ? name : name + ":" + port;
    }

    /** Scheme and authority. */
    public String url() {
        return (tls ? "https://" : "http://") + authority();
    }

    @Override
    public String toString() {
        String at = address == null ? url() : url() + " (" + address.getHostAddress() + ")";
        return serverName == null ? at : at + " as " + serverName;
    }
}
