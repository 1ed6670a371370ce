package io.weir.cluster.state.timers;

/** How missed firings are handled: those whose time passed while no member could fire. */
public enum Misfire {
    /** One firing for all missed ones: the latest. */
    FIRE_ONCE,
    /** None of them; the next firing is the next one in the future. */
    SKIP,
    /** Each, oldest first, but only the latest {@link TimerSpec#MISSED} of them. */
    FIRE_ALL
}
