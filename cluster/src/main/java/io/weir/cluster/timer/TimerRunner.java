package io.weir.cluster.timer;

import io.weir.cluster.state.timers.TimerSpec;
import java.util.function.Consumer;

/** Calls listeners outside the loop. Production uses {@link TimerThreads}; the simulation has another one. */
@FunctionalInterface
public interface TimerRunner {
    /**
     * Outcome of a firing that is not done and whose listener is no longer running: the lease's next holder repeats it.
     */
    String NOT_DONE = "not done";

    /**
     * Schedules a call of the timer's listener. Does not block. From the loop.
     *
     * @param done called once, on any thread, when the listener has returned: with an empty text, the failure, or
     *     {@link #NOT_DONE}
     */
    void run(TimerSpec timer, Firing firing, Consumer<String> done);

    /** Interrupts running listeners after a time-out. From any thread. */
    default void interrupt() {
        // no threads to interrupt
    }
}
