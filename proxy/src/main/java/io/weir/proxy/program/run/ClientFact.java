package io.weir.proxy.program.run;

import java.util.Locale;

/** What the functions {@code forward-…} and {@code block-…} decide to tell an origin about the client. */
public enum ClientFact {
    /** The cipher suite of its connection. */
    CIPHER("Proxy-cipher"),
    /** The size of the key of its connection, bits. */
    KEYSIZE("Proxy-keysize"),
    /** The same without those that are known: in today's ciphers none. */
    SECRET_KEYSIZE("Proxy-secret-keysize"),
    /** Its TLS session. */
    SSL_ID("Proxy-ssl-id"),
    /** Its certificate. */
    AUTH_CERT("Proxy-auth-cert"),
    /** Whom its certificate names. */
    USER_DN("Proxy-user-dn"),
    /** Who issued its certificate. */
    ISSUER_DN("Proxy-issuer-dn"),
    /** Its address. */
    IP("Client-ip");

    private final String field;

    ClientFact(String field) {
        this.field = field;
    }

    /** The field that carries it unless another is configured. */
    public String field() {
        return field;
    }

    /** As in the functions' names. */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
