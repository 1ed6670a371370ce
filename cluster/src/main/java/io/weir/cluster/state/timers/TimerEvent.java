package io.weir.cluster.state.timers;

import io.weir.base.Fence;
import io.weir.cluster.state.entry.Event;
import org.jspecify.annotations.Nullable;

/** Events of timers. Immutable. */
public sealed interface TimerEvent extends Event {
    /** A timer was defined, removed, paused or resumed, a firing was requested, or its firing ended. */
    record Changed(
            String id,
            @Nullable TimerState before,
            @Nullable TimerState after) implements TimerEvent {}

    /** A firing was accepted: the holder of that fence calls the listener now. */
    record Fired(String id, long scheduledMillis, Fence fence, boolean requested) implements TimerEvent {}
}
