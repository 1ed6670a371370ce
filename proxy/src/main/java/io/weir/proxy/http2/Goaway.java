package io.weir.proxy.http2;

/** Why Weir sent GOAWAY to a client: the causes of {@code weir_http2_goaways_sent_total}. */
public enum Goaway {
    /** The server stops, or hands its clients over to another process. */
    DRAIN("drain"),
    /** The connection was idle for too long, or the maximum of idle ones is reached. */
    IDLE("idle"),
    /** The client exceeded a cost bound. */
    FLOOD("flood"),
    /** The client violated the protocol, or Weir failed. */
    ERROR("error"),
    /** The connection had to be closed immediately. */
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
