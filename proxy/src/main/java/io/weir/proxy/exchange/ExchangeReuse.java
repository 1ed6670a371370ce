package io.weir.proxy.exchange;

/**
 * Whether an exchange may answer another request: not once something refers to it that may call late, or a call-back
 * would find another request's exchange. Owned by its exchange.
 */
public final class ExchangeReuse {
    private boolean held;
    /** Nothing but its own fetch refers to it, and that ends with the answer. */
    private boolean alone;

    private boolean entering;

    public void begin() {
        alone = false;
    }

    /** From here on something may call it late. */
    public void hold() {
        held = true;
        alone = false;
    }

    /** It asks for a slot: where it gets one at once, the queue does not remember it. */
    public void entering() {
        alone = !held;
        held = true;
        entering = true;
    }

    public void entered() {
        entering = false;
    }

    /** It has a slot. */
    public void started() {
        alone &= entering;
        entering = false;
    }

    /** Its own fetch gave it the whole answer. */
    public void relayed() {
        held = !alone;
    }

    public boolean allowed() {
        return !held;
    }
}
