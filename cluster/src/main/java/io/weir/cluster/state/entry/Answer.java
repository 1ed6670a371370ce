package io.weir.cluster.state.entry;

import io.weir.base.Fence;
import java.util.List;

/** The state machine's answer to a command. Immutable. To bytes and back by {@link AnswerCodec}. */
public sealed interface Answer {
    /**
     * It was done, or was done before.
     *
     * @param index of the entry
     */
    record Done(long index) implements Answer {}

    /** The lease is the caller's, with this fence. */
    record Granted(Fence fence) implements Answer {}

    /** The lease is somebody else's. */
    record HeldBy(String owner, long incarnation, Fence fence) implements Answer {}

    /**
     * All were renewed but these, which are not the caller's any more.
     *
     * @param index of the entry: the renewal of the others
     */
    record Renewed(long index, List<LeaseRef> lost) implements Answer {
        public Renewed {
            lost = List.copyOf(lost);
        }
    }

    /** Nothing was changed. */
    record Refused(Refusal reason, String text) implements Answer {}

    /** Whether it was not refused: done, granted or renewed. */
    default boolean accepted() {
        return !(this instanceof Refused || this instanceof HeldBy);
    }
}
