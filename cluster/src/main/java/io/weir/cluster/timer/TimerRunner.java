package io.weir.cluster.timer;

import io.weir.cluster.state.TimerSpec;
import java.util.function.Consumer;

/** Calls listeners, away from the loop. {@link TimerThreads} is the real one; the simulation has its own. */
@FunctionalInterface
public interface TimerRunner {
    /**
     * Has the listener of a timer called. Does not block. From the loop.
     *
     * @param done told once, on any thread, when the listener has returned: with an empty text, or why it failed
     */
    void run(TimerSpec timer, Firing firing, Consumer<String> done);
}
