package io.weir.cluster.timer;

import io.weir.cluster.state.timers.TimerSpec;

/** Resolves the target in a timer's definition to its listener. Shared. */
@FunctionalInterface
public interface TimerTargets {
    /**
     * The listener of a timer. Called on an execute thread before each firing; may block.
     *
     * @throws Exception if there is none, which counts as a failed firing
     */
    TimerListener listener(TimerSpec timer) throws Exception;
}
