package io.weir.cluster.state.timers;

import io.weir.base.Fence;

/**
 * A timer and its last firing. Times are wall-clock milliseconds since 1970 on the proposing member; the state only
 * compares a firing's scheduled time with the last one's. Immutable.
 *
 * @param from schedule's beginning: no firing at or before it
 * @param lastScheduled scheduled time of the last firing; {@code from} before the first
 * @param lastFence the fence of the last firing; NONE before the first
 * @param done the last firing's listener has returned, so that it is not repeated
 * @param lastFailure why the last listener failed; empty when it did not
 * @param requested number of the last firing that an operator asked for out of turn: the index of the entry that asked;
 * 0 for     none
 * @param requestedAt its time, by the clock of the member that was asked: shown, never compared with another's
 * @param requestedFence fence with which the requested firing was begun; NONE before
 * @param requestOpen the listener of the requested firing was not seen to return yet
 * @param firings how many there were
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

    /** When it fired last, by its schedule or because an operator asked; 0 where it never did. */
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
