package io.weir.http;

/** The supported protocol versions: HTTP/1 in its own syntax (RFC 9112 2.3), HTTP/2 in frames. Immutable. */
public enum Version {
    HTTP_1_0("HTTP/1.0"),
    HTTP_1_1("HTTP/1.1"),
    /** Messages received or sent in frames (RFC 9113); never written in a start line. */
    HTTP_2("HTTP/2.0");

    private final String text;

    Version(String text) {
        this.text = text;
    }

    /** The form on the wire and in logs, for example {@code HTTP/1.1}. */
    public String text() {
        return text;
    }
}
