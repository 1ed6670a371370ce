package io.weir.cluster.timer;

import io.weir.cluster.state.timers.TimerSpec;

/** Who is told of a timer's firings, by the target in its definition. Shared. */
@FunctionalInterface
public interface TimerTargets {
    /**
     * The listener of a timer. Called on an execute thread before each firing; may block.
     *
     * @throws Exception when there is none, which counts as a failed firing
     */
    TimerListener listener(TimerSpec timer) throws Exception;
}
