package io.weir.cluster.state.entry;

import io.weir.base.Fence;
import java.util.List;

/** The state machine's answer to a command. Immutable. Encoded by {@link AnswerCodec}. */
public sealed interface Answer {
    /**
     * The command was applied, or had been applied before.
     *
     * @param index of the entry
     */
    record Done(long index) implements Answer {}

    /** The caller holds the lease, with this fence. */
    record Granted(Fence fence) implements Answer {}

    /** Another owner holds the lease. */
    record HeldBy(String owner, long incarnation, Fence fence) implements Answer {}

    /**
     * All were renewed except these, which the caller no longer holds.
     *
     * @param index of the entry, which identifies the renewal
     */
    record Renewed(long index, List<LeaseRef> lost) implements Answer {
        public Renewed {
            lost = List.copyOf(lost);
        }
    }

    /** The command was refused and changed nothing. */
    record Refused(Refusal reason, String text) implements Answer {}

    /** Whether the command was accepted: done, granted or renewed. */
    default boolean accepted() {
        return !(this instanceof Refused || this instanceof HeldBy);
    }
}
