package io.weir.broker.loop;

import io.weir.base.Clock;

/**
 * The thread that owns sessions and destinations: a muxer's event loop, or a test's. Shared: other threads post tasks
 * to it; its sessions and destinations are accessed on it only. Lives as long as the broker.
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
        /** Has no effect after the action has run. On the loop. */
        void cancel();
    }

    /** Its number among the broker's loops, from 0. */
    public final int index() {
        return index;
    }

    public final Clock clock() {
        return clock;
    }

    /** The read buffers that hold waiting messages of its destinations. On the loop. */
    public final ReadBuffers buffers() {
        return buffers;
    }

    /** Whether the caller runs on it. */
    public abstract boolean isCurrent();

    /** Runs an action on it, after those posted before. From any thread. */
    public abstract void post(Runnable action);

    /** Posts an action, or refuses and counts it if the mailbox is full: for work whose sender can retry. */
    public abstract boolean offer(Runnable action);

    /** Runs the tasks that other loops have already posted, so that later work does not overtake them. On the loop. */
    public abstract void catchUp();

    /** Runs an action once, later. On the loop. */
    public abstract Timer after(long nanos, Runnable action);

    /** Runs an action at once if called on the loop, else posts it. */
    public final void run(Runnable action) {
        if (isCurrent()) {
            action.run();
        } else {
            post(action);
        }
    }
}
