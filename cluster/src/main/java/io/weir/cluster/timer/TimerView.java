package io.weir.cluster.timer;

import io.weir.base.Fence;
import io.weir.cluster.state.ClusterState;
import io.weir.cluster.state.timers.TimerState;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A timer's status for display. Immutable.
 *
 * @param last scheduled time of the last firing; null before the first
 * @param next scheduled time of the next firing (in the past if due); null if paused or none
 * @param running whether a firing has started and its completion is not committed
 */
public record TimerView(
        TimerState timer, @Nullable Instant last, @Nullable Instant next, boolean running) {
    /** All timers by their ids. */
    public static List<TimerView> of(ClusterState state) {
        return state.timers().values().stream().map(TimerView::of).toList();
    }

    public static TimerView of(TimerState t) {
        Instant last = t.lastFence().equals(Fence.NONE) ? null : Instant.ofEpochMilli(t.lastScheduled());
        boolean requested = t.requestOpen() && !t.requestedFence().equals(Fence.NONE);
        return new TimerView(t, last, t.paused() ? null : next(t), !t.done() || requested);
    }

    private static @Nullable Instant next(TimerState t) {
        try {
            return Schedule.parse(t.spec().schedule(), t.spec().zone())
                    .next(Instant.ofEpochMilli(t.lastScheduled()))
                    .orElse(null);
        } catch (IllegalArgumentException unreadable) {
            // logged once by the engine
            return null;
        }
    }
}
