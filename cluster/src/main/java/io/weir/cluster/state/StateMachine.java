package io.weir.cluster.state;

import java.util.List;

/**
 * The pure function under the cluster: a state, an index and a proposal come to an answer, the next state and events, the
 * same on every member. No clock, no chance, no exception.
 */
public final class StateMachine {
    private StateMachine() {}

    /**
     * Applies one entry.
     *
     * @param index of the entry, above {@link ClusterState#applied()}
     */
    public static Applied apply(ClusterState before, long index, byte[] proposal) {
        return apply(before, index, CommandCodec.decode(proposal));
    }

    /** The same, decoded. */
    public static Applied apply(ClusterState before, long index, Proposal proposal) {
        return new Applied(
                before, new Answer.Refused(Refusal.MALFORMED, "not there yet " + index + proposal), List.of());
    }
}
