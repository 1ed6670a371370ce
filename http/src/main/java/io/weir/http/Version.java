package io.weir.http;

/** The protocol versions that Weir speaks in HTTP/1 syntax (RFC 9112 2.3). Immutable. */
public enum Version {
    HTTP_1_0("HTTP/1.0"),
    HTTP_1_1("HTTP/1.1");

    private final String text;

    Version(String text) {
        this.text = text;
    }

    /** As on the wire, for example {@code HTTP/1.1}. */
    public String text() {
        return text;
    }
}
