package io.weir.cluster.state.timers;

import io.weir.base.Fence;

/**
 * A timer and its last firing. Times are wall-clock milliseconds since 1970 of the proposing member; the state only
 * compares a firing's scheduled time with the last one's. Immutable.
 *
 * @param from start of the schedule: there is no firing at or before it
 * @param lastScheduled scheduled time of the last firing; {@code from} before the first
 * @param lastFence the fence of the last firing; NONE before the first
 * @param done whether the last firing's listener has returned, so that it is not repeated
 * @param lastFailure failure of the last listener; empty if it succeeded
 * @param requested number of the last firing requested by an operator: the index of the request's entry; 0 for none
 * @param requestedAt time of the request by the receiving member's clock: displayed, never compared with another's
 * @param requestedFence fence with which the requested firing was started; NONE before
 * @param requestOpen whether the completion of the requested firing is not recorded yet
 * @param firings total number of firings
 * @param version index of the last change
 */
public record TimerState(
        TimerSpec spec,
        long from,
        long lastScheduled,
        Fence lastFence,
        boolean done,
        String lastFailure,
        long requested,
        long requestedAt,
        Fence requestedFence,
        boolean requestOpen,
        boolean paused,
        long firings,
        long version) {
    public String id() {
        return spec.id();
    }

    /** Time of the last firing, scheduled or requested; 0 if there was none. */
    public long lastFired() {
        return Math.max(
                lastFence.equals(Fence.NONE) ? 0 : lastScheduled, requestedFence.equals(Fence.NONE) ? 0 : requestedAt);
    }

    TimerState specified(TimerSpec by) {
        return new TimerState(
                by,
                from,
                lastScheduled,
                lastFence,
                done,
                lastFailure,
                requested,
                requestedAt,
                requestedFence,
                requestOpen,
                paused,
                firings,
                version);
    }

    TimerState beginning(long at) {
        return new TimerState(
                spec,
                at,
                at,
                lastFence,
                done,
                lastFailure,
                requested,
                requestedAt,
                requestedFence,
                requestOpen,
                paused,
                firings,
                version);
    }

    TimerState pausing(boolean on) {
        return new TimerState(
                spec,
                from,
                lastScheduled,
                lastFence,
                done,
                lastFailure,
                requested,
                requestedAt,
                requestedFence,
                requestOpen,
                on,
                firings,
                version);
    }

    TimerState requesting(long number, long at, Fence with) {
        return new TimerState(
                spec,
                from,
                lastScheduled,
                lastFence,
                done,
                lastFailure,
                number,
                at,
                with,
                true,
                paused,
                firings,
                version);
    }

    TimerState fired(long scheduled, Fence with) {
        return new TimerState(
                spec,
                from,
                scheduled,
                with,
                false,
                lastFailure,
                requested,
                requestedAt,
                requestedFence,
                requestOpen,
                paused,
                firings,
                version);
    }

    TimerState counted() {
        return new TimerState(
                spec,
                from,
                lastScheduled,
                lastFence,
                done,
                lastFailure,
                requested,
                requestedAt,
                requestedFence,
                requestOpen,
                paused,
                firings + 1,
                version);
    }

    TimerState finished(String failure) {
        return new TimerState(
                spec,
                from,
                lastScheduled,
                lastFence,
                true,
                failure,
                requested,
                requestedAt,
                requestedFence,
                requestOpen,
                paused,
                firings,
                version);
    }

    TimerState requestDone(String failure) {
        return new TimerState(
                spec,
                from,
                lastScheduled,
                lastFence,
                done,
                failure,
                requested,
                requestedAt,
                requestedFence,
                false,
                paused,
                firings,
                version);
    }

    TimerState skipped(long through) {
        return new TimerState(
                spec,
                from,
                through,
                lastFence,
                done,
                lastFailure,
                requested,
                requestedAt,
                requestedFence,
                requestOpen,
                paused,
                firings,
                version);
    }

    TimerState versioned(long index) {
        return new TimerState(
                spec,
                from,
                lastScheduled,
                lastFence,
                done,
                lastFailure,
                requested,
                requestedAt,
                requestedFence,
                requestOpen,
                paused,
                firings,
                index);
    }
}
