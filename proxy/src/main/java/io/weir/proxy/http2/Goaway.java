package io.weir.proxy.http2;

/** Why Weir said GOAWAY to a client: the causes of {@code weir_http2_goaways_sent_total}. */
public enum Goaway {
    /** The server stops, or leaves its clients to another process. */
    DRAIN("drain"),
    /** The connection was idle for too long, or there is no place for idle ones. */
    IDLE("idle"),
    /** The client was cut off for what it costs. */
    FLOOD("flood"),
    /** The client broke the protocol, or Weir failed. */
    ERROR("error"),
    /** The connection had to be closed at once. */
    CLOSE("close");

    private final String label;

    Goaway(String label) {
        this.label = label;
    }

    /** The label of the counter. */
    public String label() {
        return label;
    }
}
