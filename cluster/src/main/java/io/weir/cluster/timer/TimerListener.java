package io.weir.cluster.timer;

/**
 * Called when a cluster-wide timer fires: on exactly one member, at least once for each scheduled time, also across
 * fail-over, and never concurrently for the same timer. Needs a public constructor without parameters if the
 * configuration names its class. Named after the listener of the CommonJ timers of WebLogic's Job Scheduler.
 */
@FunctionalInterface
public interface TimerListener {
    /**
     * Called on an execute thread once the firing is committed in the cluster's log; may block.
     *
     * @throws Exception is logged and shown with the timer; the firing counts as done, unless it is
     *     {@link FenceRefused}
     */
    void timerExpired(Firing firing) throws Exception;
}
