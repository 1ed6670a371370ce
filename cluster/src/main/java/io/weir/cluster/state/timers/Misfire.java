package io.weir.cluster.state.timers;

/** What happens to firings whose time passed while no member could fire. */
public enum Misfire {
    /** One firing for all that were missed: the latest. */
    FIRE_ONCE,
    /** None of them; the next is the next in the future. */
    SKIP,
    /** Each, the oldest first, but at most {@link TimerSpec#MISSED} of them, the latest. */
    FIRE_ALL
}
