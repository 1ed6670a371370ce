package io.weir.http.semantics;

import java.util.Locale;

/** Protocols to which a connection may be upgraded (RFC 9110 section 7.8). Stateless. */
public final class Upgrades {
    private Upgrades() {}

    /**
     * Whether a value of Upgrade, or of {@code :protocol} (RFC 8441), names another version of HTTP itself, or TLS
     * around it. Requests inside would bypass the proxy's rules, logs and limits (h2c smuggling). A receiver may ignore
     * Upgrade, so such a client keeps its current protocol.
     *
     * @param protocols a list with commas
     */
    public static boolean hideRequests(String protocols) {
        for (String member : protocols.split(",", -1)) {
            String protocol = member.strip().toLowerCase(Locale.ROOT);
            int version = protocol.indexOf('/');
            String name =
                    version < 0 ? protocol : protocol.substring(0, version).strip();
            if (name.equals("http") || name.equals("tls") || name.matches("h\\d.*")) {
                return true;
            }
        }
        return false;
    }
}
