package io.weir.proxy.pool;

import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/**
 * The key of interchangeable origin connections. Immutable.
 *
 * @param tls https
 * @param host name or address literal without brackets, lower case
 * @param port 1 to 65535
 * @param guarded reached through the forward proxy: its resolved addresses must pass the destination rules, which do
 *     not apply to configured origins; and a proxy behind this one: the rules are applied to the host it is asked for
 * @param address one address of the host, for names of which each address is a separate server; null: any address of
 *     the name
 * @param serverName the name sent as SNI and verified against the certificate; null: the host
 * @param http2 HTTP/2 with prior knowledge, without TLS
 * @param kind of server
 */
public record OriginKey(
        boolean tls,
        String host,
        int port,
        boolean guarded,
        @Nullable InetAddress address,
        @Nullable String serverName,
        boolean http2,
        Kind kind) {
    /** Kinds of servers behind this one. */
    public enum Kind {
        ORIGIN,
        /** A proxy behind this one: it is asked for URLs of others, over HTTP/1.1. */
        PARENT,
        /** The cache of another member of the cluster. */
        MEMBER
    }

    /** An origin by its name only. */
    public OriginKey(boolean tls, String host, int port, boolean guarded) {
        this(tls, host, port, guarded, null, null, false, Kind.ORIGIN);
    }

    /** A proxy behind this one. */
    public static OriginKey parent(boolean tls, String host, int port) {
        return new OriginKey(tls, host, port, true, null, null, false, Kind.PARENT);
    }

    /** The cache of another member of the cluster. */
    public static OriginKey member(boolean tls, String host, int port) {
        return new OriginKey(tls, host, port, false, null, null, false, Kind.MEMBER);
    }

    /** Whether it is a proxy behind this one. */
    public boolean parent() {
        return kind == Kind.PARENT;
    }

    /** Whether it is another member of the cluster. */
    public boolean member() {
        return kind == Kind.MEMBER;
    }

    /** The same origin at one of its addresses. */
    public OriginKey at(InetAddress one) {
        return new OriginKey(tls, host, port, guarded, one, serverName, http2, kind);
    }

    /** The same origin with a separate name in TLS; null: its host. */
    public OriginKey named(@Nullable String name) {
        return new OriginKey(tls, host, port, guarded, address, name, http2, kind);
    }

    /** The name sent as SNI, unless it is an address, and verified against the certificate. */
    public String tlsName() {
        return serverName == null ? host : serverName;
    }

    /** The same origin, with HTTP/2 or without. */
    public OriginKey overHttp2(boolean on) {
        return new OriginKey(tls, host, port, guarded, address, serverName, on, kind);
    }

    /** The authority for the Host field: without the default port, IPv6 in brackets. */
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
