package io.weir.kernel.mux;

import org.jspecify.annotations.Nullable;

/**
 * Something that happens on a muxer when its time is over, unless it is disarmed before. Extend it in what already lives
 * as long as a connection, so that it costs no object of its own. Confined to the muxer that arms it.
 */
public abstract class Deadline {
    @Nullable
    Deadline next;

    @Nullable
    Deadline previous;

    long due;
    long tick;

    /** Whether it will expire. */
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
