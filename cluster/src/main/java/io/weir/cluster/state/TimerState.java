package io.weir.cluster.state;

import io.weir.base.Fence;

/**
 * A timer and its last firing. Times are wall-clock milliseconds since 1970 of whoever proposed them; the state only
 * compares a firing's scheduled time with the last one's. Immutable.
 *
 * @param from schedule's beginning: no firing at or before it
 * @param lastScheduled scheduled time of the last firing; {@code from} before the first
 * @param lastFence the fence of the last firing; NONE before the first
 * @param done the last firing's listener has returned, so that nobody repeats it
 * @param lastFailure why the last listener failed; empty when it did not
 * @param requested scheduled time of a firing that an operator asked for out of turn; 0 for none
 * @param requestedFence fence with which the requested firing was begun; NONE before
 * @param firings how many there were
 * @param version index of the last change of its definition, pause or request
 */
public record TimerState(
        TimerSpec spec,
        long from,
        long lastScheduled,
        Fence lastFence,
        boolean done,
        String lastFailure,
        long requested,
        Fence requestedFence,
        boolean paused,
        long firings,
        long version) {
    public String id() {
        return spec.id();
    }
}
