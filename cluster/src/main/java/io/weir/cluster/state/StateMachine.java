package io.weir.cluster.state;

import io.weir.cluster.state.bytes.StateLimits;
import io.weir.cluster.state.entry.Answer;
import io.weir.cluster.state.entry.Draft;
import io.weir.cluster.state.entry.Refusal;
import java.util.List;

/**
 * The cluster's state machine, a pure function: a state, an index and a proposal give an answer, the next state and
 * events, identical on every member. It uses no clock and no random numbers, and throws no exceptions.
 */
public final class StateMachine {
    private StateMachine() {}

    /**
     * Applies one entry; invalid bytes are refused with {@link Refusal#MALFORMED}.
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

    /** The same for a decoded proposal, which must be within the limits of {@link StateLimits}. */
    public static Applied apply(ClusterState before, long index, Proposal proposal) {
        if (index <= before.applied()) {
            // the log repeats an entry after a restart: its effects are in the state already
            return new Applied(before, new Answer.Done(index), List.of());
        }
        StateRules rules = new StateRules(before, new Draft(index, proposal.by(), proposal.atMillis()));
        return rules.done(CommandKind.apply(rules, proposal.command()));
    }
}
