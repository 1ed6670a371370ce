package io.weir.proxy.program;

import java.util.Locale;

/** Why a destination is refused: the label of the counter and the fault that is answered. Immutable. */
public enum DestinationRefusal {
    /** The client is not among those that may use the proxy. */
    CLIENT(ProxyFault.CLIENT_FORBIDDEN),
    PORT(ProxyFault.PORT_FORBIDDEN),
    HOST_DENIED(ProxyFault.DESTINATION_FORBIDDEN),
    HOST_NOT_ALLOWED(ProxyFault.DESTINATION_FORBIDDEN),
    ADDRESS_DENIED(ProxyFault.DESTINATION_FORBIDDEN),
    /** 127.0.0.0/8, ::1. */
    LOOPBACK(ProxyFault.DESTINATION_FORBIDDEN),
    /** RFC 1918, RFC 6598, fc00::/7. */
    PRIVATE(ProxyFault.DESTINATION_FORBIDDEN),
    /** 169.254.0.0/16, fe80::/10. */
    LINK_LOCAL(ProxyFault.DESTINATION_FORBIDDEN),
    /** Addresses at which clouds serve credentials. */
    METADATA(ProxyFault.DESTINATION_FORBIDDEN),
    MULTICAST(ProxyFault.DESTINATION_FORBIDDEN),
    /** 0.0.0.0/8, ::, broadcast, and what is reserved by RFC 6890. */
    RESERVED(ProxyFault.DESTINATION_FORBIDDEN);

    private final ProxyFault fault;

    DestinationRefusal(ProxyFault fault) {
        this.fault = fault;
    }

    public ProxyFault fault() {
        return fault;
    }

    /** The reason in kebab case. */
    public String code() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
