package io.weir.proxy;

/**
 * What makes origin connections interchangeable. Immutable.
 *
 * @param tls https
 * @param host name or address literal without brackets, lower case
 * @param port 1 to 65535
 * @param guarded reached through the forward proxy: its resolved address passed the destination rules, which a
 *     configured origin need not
 */
record OriginKey(boolean tls, String host, int port, boolean guarded) {
    /** The authority for the Host field: the default port left out, IPv6 in brackets. */
    String authority() {
        String name = host.indexOf(':') >= 0 ? "[" + host + "]" : host;
        return port == (tls ? 443 : 80) ? name : name + ":" + port;
    }

    @Override
    public String toString() {
        return (tls ? "https://" : "http://") + authority();
    }
}
