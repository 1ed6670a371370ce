package io.weir.cluster.log;

import io.weir.base.Chance;
import io.weir.base.Clock;

/**
 * A member's single thread: all state listeners, leases, the singleton controller, the leader's time-outs and the
 * timers run on it, so that none of them needs a lock, and the simulator can run all members in one thread. Tasks of
 * one submitting thread run in submission order, one at a time; none may block. Shared.
 */
public interface Loop {
    Clock clock();

    /** Confined to the loop. */
    Chance chance();

    /**
     * Runs a task after the tasks queued before it. From any thread.
     *
     * @throws java.util.concurrent.RejectedExecutionException if the queue is full (counted), or the loop has ended
     */
    void execute(Runnable task);

    /**
     * The same for completions that a caller waits for: the answer to a request, the end of a service's call. Never
     * refused while the loop lives, even if the queue is full: requests are bounded elsewhere, and a future that is
     * never completed would hang its caller.
     *
     * @throws java.util.concurrent.RejectedExecutionException if the loop has ended
     */
    default void deliver(Runnable task) {
        execute(task);
    }

    /**
     * Schedules a task on the loop. Called on the loop, or before it runs; never refused to the loop itself, because
     * its periodic checks would stop forever.
     *
     * @param nanos monotonic delay from now; 0 or less behaves as {@link #execute}
     */
    Cancellable after(long nanos, Runnable task);

    /** Whether the caller is on the loop. */
    boolean here();
}
