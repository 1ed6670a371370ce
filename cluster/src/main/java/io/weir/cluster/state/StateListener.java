package io.weir.cluster.state;

import io.weir.cluster.state.entry.Event;
import java.util.List;

/** Sees what is applied on this member. Called on the member's loop only, in the order of the log; must not block. */
public interface StateListener {
    /**
     * An entry was applied. Called before the future of a submitter on this member (through {@link Proposer})
     * completes.
     *
     * @param after the state right after it
     * @param events what it changed; may be empty
     */
    void applied(ClusterState after, List<Event> events);

    /**
     * The state was replaced by a snapshot, or so many entries were applied that their events were dropped: rebuild
     * from the state whatever was derived from events.
     */
    void restored(ClusterState now);

    /** This member became, or ceased to be, the log's leader. */
    default void leadership(boolean leading, long term) {
        // most do not mind
    }
}
