package io.weir.cluster.log;

import io.weir.base.Chance;
import io.weir.base.Clock;

/**
 * A member's one thread: all views of the state, leases, the controller of singletons, the leader's time-outs and the
 * timers run on it, so that nothing of them needs a lock, and the simulator can run all members in one thread. Tasks
 * run in the order in which each thread hands them over, one at a time; none may block. Shared.
 */
public interface Loop {
    Clock clock();

    /** Confined to the loop. */
    Chance chance();

    /**
     * Runs a task as soon as what was handed over before has run. From any thread.
     *
     * @throws java.util.concurrent.RejectedExecutionException when as many tasks wait as may, or the loop has ended;
     * counted
     */
    void execute(Runnable task);

    /**
     * The same for what somebody waits for: the answer to something that was asked for, the end of a service's call.
     * Never refused while the loop lives, however much waits, since requests have their own bound, and a future that is
     * never completed would hang its caller.
     *
     * @throws java.util.concurrent.RejectedExecutionException when the loop has ended
     */
    default void deliver(Runnable task) {
        execute(task);
    }

    /**
     * Runs a task on the loop after a time. From the loop, or before it runs; never refused to the loop itself, whose
     * periodic looks would end for ever.
     *
     * @param nanos monotonic time from now; 0 or less: as {@link #execute}
     */
    Cancellable after(long nanos, Runnable task);

    /** Whether the caller is on the loop. */
    boolean here();
}
