package io.weir.proxy.program.config;

/** Which fields describe a client's TLS connection and certificate to an origin. Immutable. */
public enum ClientCertificateMode {
    OFF,
    /** Client-Cert and Client-Cert-Chain (RFC 9440). */
    RFC9440,
    /** Proxy-auth-cert, Proxy-user-dn, Proxy-issuer-dn, Proxy-cipher, Proxy-keysize, Proxy-secret-keysize, Proxy-ssl-id. */
    PROXY_FIELDS,
    BOTH;

    /** Whether the fields of RFC 9440 are included. */
    public boolean rfc() {
        return this == RFC9440 || this == BOTH;
    }

    /** Whether the fields of the Proxy Server are included. */
    public boolean proxy() {
        return this == PROXY_FIELDS || this == BOTH;
    }
}
