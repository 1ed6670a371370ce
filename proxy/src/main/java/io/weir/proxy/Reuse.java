package io.weir.proxy;

/**
 * Whether an exchange may answer another request: not once something refers to it that may call late, or a call-back
 * would find another request's exchange. Owned by its exchange.
 */
final class Reuse {
    private boolean held;
    /** Nothing but its own fetch refers to it, and that ends with the answer. */
    private boolean alone;

    private boolean entering;

    void begin() {
        alone = false;
    }

    /** From here on something may call it late. */
    void hold() {
        held = true;
        alone = false;
    }

    /** It asks for a slot: where it gets one at once, the queue does not remember it. */
    void entering() {
        alone = !held;
        held = true;
        entering = true;
    }

    void entered() {
        entering = false;
    }

    /** It has a slot. */
    void started() {
        alone &= entering;
        entering = false;
    }

    /** Its own fetch gave it the whole answer. */
    void relayed() {
        held = !alone;
    }

    boolean allowed() {
        return !held;
    }
}
