package io.weir.proxy.exchange;

/**
 * Whether an exchange may be reused for another request: not if something refers to it that may call back late, since a
 * callback would then find another request's exchange. Owned by its exchange.
 */
public final class ExchangeReuse {
    private boolean held;
    /** Only its own fetch refers to it, and that ends with the answer. */
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

    /** It requests a slot: if it gets one at once, the queue keeps no reference to it. */
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

    /** Its own fetch has delivered the whole answer. */
    public void relayed() {
        held = !alone;
    }

    public boolean allowed() {
        return !held;
    }
}
