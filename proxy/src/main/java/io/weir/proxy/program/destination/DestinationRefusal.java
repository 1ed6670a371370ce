package io.weir.proxy.program.destination;

import java.util.Locale;

/** Why a destination is refused: the label of the counter. Immutable. */
public enum DestinationRefusal {
    /** The client is not permitted to use the proxy. */
    CLIENT,
    PORT,
    HOST_DENIED,
    HOST_NOT_ALLOWED,
    ADDRESS_DENIED,
    /** 127.0.0.0/8, ::1. */
    LOOPBACK,
    /** RFC 1918, RFC 6598, fc00::/7. */
    PRIVATE,
    /** 169.254.0.0/16, fe80::/10. */
    LINK_LOCAL,
    /** Addresses at which cloud providers serve credentials. */
    METADATA,
    MULTICAST,
    /** 0.0.0.0/8, ::, broadcast, and addresses reserved by RFC 6890. */
    RESERVED;

    /** The reason in kebab case. */
    public String code() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
