package io.weir.cluster.timer;

/**
 * Called when a cluster-wide timer fires: on exactly one member, at least once for each occasion, also across
 * fail-over, and not again while it still runs for the same timer. Needs a public constructor without parameters where
 * the configuration names its class. Named after the method of the CommonJ timers that WebLogic's Job Scheduler runs.
 */
@FunctionalInterface
public interface TimerListener {
    /**
     * The timer fired. Called on an execute thread, once the firing is committed in the cluster's log; it may block.
     *
     * @throws Exception is logged and shown with the timer; the firing counts as done, unless it is {@link
     * FenceRefused}
     */
    void timerExpired(Firing firing) throws Exception;
}
