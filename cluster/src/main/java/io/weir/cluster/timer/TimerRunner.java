package io.weir.cluster.timer;

import io.weir.cluster.state.timers.TimerSpec;
import java.util.function.Consumer;

/** Calls listeners, away from the loop. {@link TimerThreads} is the real one; the simulation has its own. */
@FunctionalInterface
public interface TimerRunner {
    /**
     * Outcome of a firing that is not done, but whose listener is not waited for: the lease's next holder repeats it.
     */
    String NOT_DONE = "not done";

    /**
     * Has the listener of a timer called. Does not block. From the loop.
     *
     * @param done called once, on any thread, when the listener has returned: with an empty text, or why it failed, or
     * {@link #NOT_DONE}
     */
    void run(TimerSpec timer, Firing firing, Consumer<String> done);

    /** Interrupts the listeners that run: they were waited for long enough. From any thread. */
    default void interrupt() {
        // what has no threads of its own has nothing to interrupt
    }
}
