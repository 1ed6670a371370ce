package io.weir.cluster.state.members;

import io.weir.cluster.state.entry.Event;
import org.jspecify.annotations.Nullable;

/** Events of members. Immutable. */
public sealed interface MemberEvent extends Event {
    /**
     * A member joined, rejoined, is leaving, or was removed ({@code after} null). Whether it is alive follows from its
     * lease's events.
     */
    record Changed(
            String name,
            @Nullable MemberState before,
            @Nullable MemberState after) implements MemberEvent {}

    /** The boot delay after a start of the whole cluster began or ended. */
    record BootDelayChanged(BootDelay now) implements MemberEvent {}
}
