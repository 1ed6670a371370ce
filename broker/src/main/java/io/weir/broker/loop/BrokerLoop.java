package io.weir.broker.loop;

import io.weir.base.Clock;

/**
 * The thread that owns sessions and destinations: a muxer's event loop, or a test's. Shared: others hand it work; what
 * it owns is touched on it only. Lives as long as the broker.
 */
public abstract class BrokerLoop {
    private final int index;
    private final Clock clock;
    private final ReadBuffers buffers = new ReadBuffers();

    public BrokerLoop(int index, Clock clock) {
        this.index = index;
        this.clock = clock;
    }

    /** A deferred action. */
    public interface Timer {
        /** Has no effect once it ran. On the loop. */
        void cancel();
    }

    /** Its number among the broker's loops, from 0. */
    public final int index() {
        return index;
    }

    public final Clock clock() {
        return clock;
    }

    /** What the waiting messages of its destinations lie in. On the loop. */
    public final ReadBuffers buffers() {
        return buffers;
    }

    /** Whether the caller is on it. */
    public abstract boolean isCurrent();

    /** Runs an action on it, after those handed over before. From any thread. */
    public abstract void post(Runnable action);

    /** The same, but refused (and counted) when too much waits: for work whose sender can retry. */
    public abstract boolean offer(Runnable action);

    /** Runs what other loops handed over already, so that what follows is not ahead of it. On the loop. */
    public abstract void catchUp();

    /** Runs an action once, later. On the loop. */
    public abstract Timer after(long nanos, Runnable action);

    /** Runs an action at once when called on the loop, else hands it over. */
    public final void run(Runnable action) {
        if (isCurrent()) {
            action.run();
        } else {
            post(action);
        }
    }
}
