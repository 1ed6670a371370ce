package io.weir.proxy.http2;

/** Why a connection was closed for its cost: the reasons of {@code weir_http2_floods_total}. */
public enum Flood {
    RESETS("resets"),
    FAULTS("faults"),
    PINGS("pings"),
    SETTINGS("settings"),
    PRIORITIES("priorities"),
    EMPTY_FRAMES("empty-frames"),
    WINDOW_UPDATES("window-updates"),
    CONTINUATIONS("continuations"),
    HEADER_BYTES("header-bytes"),
    SLOW_HEAD("slow-head"),
    STALLED("stalled");

    private final String label;

    Flood(String label) {
        this.label = label;
    }

    /** The label of the counter. */
    public String label() {
        return label;
    }
}
