package io.weir.cluster.state;

import io.weir.base.Fence;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What one entry changed. Told on the member's loop, in the order of the log. Immutable. */
public sealed interface Event {
    /** A member joined anew, leaves, or was removed ({@code after} null). Whether it is alive is told by its lease's events. */
    record MemberChanged(
            String name,
            @Nullable MemberState before,
            @Nullable MemberState after) implements Event {}

    /** A lease was acquired. */
    record LeaseAcquired(LeaseState lease) implements Event {}

    /** Renewed by their owner: the leader's overseer measures from here. */
    record LeasesRenewed(String member, List<String> leases) implements Event {
        public LeasesRenewed {
            leases = List.copyOf(leases);
        }
    }

    /** A lease ended: released, expired, lost, or its owner joined anew. */
    record LeaseEnded(String lease, String formerOwner, long formerIncarnation, Fence fence, String reason)
            implements Event {}

    /** A singleton was defined (before null), undefined (after null), or changed in any way. */
    record SingletonChanged(
            String name,
            @Nullable SingletonState before,
            @Nullable SingletonState after) implements Event {}

    /** A name was bound (before null), unbound (after null), or rebound. */
    record BindingChanged(
            String path, @Nullable Binding before, @Nullable Binding after) implements Event {}

    /** A timer was defined, removed, paused, resumed, asked to fire, or its firing ended. */
    record TimerChanged(
            String id,
            @Nullable TimerState before,
            @Nullable TimerState after) implements Event {}

    /** A firing was accepted: the holder of that fence calls the listener now. */
    record TimerFired(String id, long scheduledMillis, Fence fence, boolean requested) implements Event {}

    /** A deployment came, went, got another version, or another source. */
    record DeploymentChanged(
            String name,
            @Nullable Deployment before,
            @Nullable Deployment after) implements Event {}

    /** The delay of placement after a start of the whole cluster began or ended. */
    record BootDelayChanged(BootDelay now) implements Event {}

    /** A line of history was written; told after what it tells of. The one log line of a transition. */
    record Recorded(Transition line) implements Event {}

    /**
     * Something was refused because its fence was not the current one.
     *
     * @param by who proposed it: {@code member:NAME}, or an operator's name
     */
    record FenceRefused(String lease, Fence offered, Fence current, String what, String by) implements Event {}
}
