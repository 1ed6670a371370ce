package io.weir.kernel.mux;

import org.jspecify.annotations.Nullable;

/**
 * A timer on a muxer that expires unless it is disarmed first. Extend it in an object that already lives as long as a
 * connection, so that it needs no object of its own. Confined to the muxer that arms it.
 */
public abstract class Deadline {
    @Nullable
    Deadline next;

    @Nullable
    Deadline previous;

    long due;
    long tick;

    /** Whether it is armed. */
    public final boolean armed() {
        return next != null;
    }

    /** Called on the muxer, never early, at most {@link Deadlines#TICK_NANOS} late while the muxer is not busy. */
    protected abstract void expired();

    /** A deadline that runs an action. */
    public static Deadline of(Runnable action) {
        return new Deadline() {
            @Override
            protected void expired() {
                action.run();
            }
        };
    }
}
