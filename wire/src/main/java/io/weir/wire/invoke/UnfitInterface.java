package io.weir.wire.invoke;

/** An interface that cannot be called over the wire: its text names the method and the reason. */
public final class UnfitInterface extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    /** @param text what cannot be encoded, and why */
    public UnfitInterface(String text) {
        super(text);
    }
}
