package io.weir.cluster.state;

import io.weir.cluster.state.entry.Event;
import java.util.List;

/**
 * Listener of entries applied on this member. Called on the member's loop only, in the order of the log; must not
 * block.
 */
public interface StateListener {
    /**
     * An entry was applied. Called before the future of a submitter on this member (through {@link Proposer})
     * completes.
     *
     * @param after the state after the entry
     * @param events the changes of the entry; may be empty
     */
    void applied(ClusterState after, List<Event> events);

    /**
     * The state was replaced by a snapshot, or events were dropped because too many entries were applied: data derived
     * from events must be rebuilt from the state.
     */
    void restored(ClusterState now);

    /** This member became the log's leader, or is no longer the leader. */
    default void leadership(boolean leading, long term) {
        // ignored by default
    }
}
