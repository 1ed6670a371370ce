package io.weir.http;

/** The protocol versions that Weir speaks: HTTP/1 by its own syntax (RFC 9112 2.3), HTTP/2 by frames. Immutable. */
public enum Version {
    HTTP_1_0("HTTP/1.0"),
    HTTP_1_1("HTTP/1.1"),
    /** Messages that came, or go, in frames (RFC 9113); never written in a start line. */
    HTTP_2("HTTP/2.0");

    private final String text;

    Version(String text) {
        this.text = text;
    }

    /** As on the wire and in logs, for example {@code HTTP/1.1}. */
    public String text() {
        return text;
    }
}
