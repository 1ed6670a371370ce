package io.weir.cluster.state.leases;

import io.weir.base.Fence;
import io.weir.cluster.state.entry.Event;
import java.util.List;

/** Events of leases. Immutable. */
public sealed interface LeaseEvent extends Event {
    /** A lease was acquired. */
    record Acquired(LeaseState lease) implements LeaseEvent {}

    /** Leases were renewed by their owner: the leader measures the time to live from this event. */
    record Renewed(String member, List<String> leases) implements LeaseEvent {
        public Renewed {
            leases = List.copyOf(leases);
        }
    }

    /** A lease ended: released, expired, lost, or its owner rejoined. */
    record Ended(String lease, String formerOwner, long formerIncarnation, Fence fence, String reason)
            implements LeaseEvent {}

    /**
     * A command was refused because its fence was not the current one.
     *
     * @param by the proposer: {@code member:NAME}, or an operator's name
     */
    record FenceRefused(String lease, Fence offered, Fence current, String what, String by) implements LeaseEvent {}
}
