package io.weir.proxy.cache.store;

import org.jspecify.annotations.Nullable;

/** A fetch in flight for a key, as the store knows it. Links are guarded by the store's lock. */
public abstract class InFlight {
    private final boolean alone;

    @Nullable
    InFlight next;

    @Nullable
    InFlight previous;

    /** The next fetch for the same key; null: none. Lock held. */
    public final @Nullable InFlight next() {
        return next;
    }

    /** @param alone no other request may wait for it, from its start */
    protected InFlight(boolean alone) {
        this.alone = alone;
    }

    /** Whether no other request may wait for it, from its start. */
    public final boolean alone() {
        return alone;
    }

    /** The key was invalidated: no more readers join, and the answer is not stored. Store's lock held. */
    protected abstract void doom();
}
