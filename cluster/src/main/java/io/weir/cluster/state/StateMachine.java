package io.weir.cluster.state;

import io.weir.cluster.state.bytes.StateLimits;
import io.weir.cluster.state.entry.Answer;
import io.weir.cluster.state.entry.Draft;
import io.weir.cluster.state.entry.Refusal;
import java.util.List;

/**
 * The pure function under the cluster: a state, an index and a proposal come to an answer, the next state and events, the
 * same on every member. No clock, no chance, no exception.
 */
public final class StateMachine {
    private StateMachine() {}

    /**
     * Applies one entry; bytes that are no proposal are refused with {@link Refusal#MALFORMED}.
     *
     * @param index of the entry, above {@link ClusterState#applied()}
     */
    public static Applied apply(ClusterState before, long index, byte[] proposal) {
        Proposal decoded;
        try {
            decoded = CommandCodec.decode(proposal);
        } catch (IllegalArgumentException e) {
            String why = e.getMessage() == null ? "no proposal" : e.getMessage();
            return new StateRules(before, new Draft(index, "", 0)).done(Draft.refused(Refusal.MALFORMED, why));
        }
        return apply(before, index, decoded);
    }

    /** The same, decoded: as {@link CommandCodec} would have, within the bounds of {@link StateLimits}. */
    public static Applied apply(ClusterState before, long index, Proposal proposal) {
        if (index <= before.applied()) {
            // a log that gives an entry again after a restart: what it did is in the state already
            return new Applied(before, new Answer.Done(index), List.of());
        }
        StateRules rules = new StateRules(before, new Draft(index, proposal.by(), proposal.atMillis()));
        return rules.done(CommandKind.apply(rules, proposal.command()));
    }
}
