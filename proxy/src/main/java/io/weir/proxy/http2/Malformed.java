package io.weir.proxy.http2;

/**
 * Why a request is malformed in HTTP/2 only (RFC 9113 sections 8.1.1 to 8.5): the reasons of {@code
 * weir_http2_malformed_total}. For errors that HTTP/1 refuses as well see {@code Fault}.
 */
public enum Malformed {
    FIELD_NAME("field-name"),
    FIELD_VALUE("field-value"),
    CONNECTION_FIELD("connection-field"),
    TE("te"),
    PSEUDO_ORDER("pseudo-order"),
    PSEUDO_UNKNOWN("pseudo-unknown"),
    PSEUDO_DUPLICATE("pseudo-duplicate"),
    PSEUDO_MISSING("pseudo-missing"),
    PSEUDO_IN_TRAILERS("pseudo-in-trailers"),
    METHOD("method"),
    SCHEME("scheme"),
    PATH("path"),
    AUTHORITY("authority"),
    CONNECT("connect"),
    TRAILER("trailer"),
    CONTENT_LENGTH("content-length");

    private final String label;

    Malformed(String label) {
        this.label = label;
    }

    /** The label of the counter. */
    public String label() {
        return label;
    }
}
