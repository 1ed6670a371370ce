package io.weir.cluster.state;

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
            return new Draft(before, index, "", 0).done(Draft.refused(Refusal.MALFORMED, why));
        }
        return apply(before, index, decoded);
    }

    /** The same, decoded: as {@link CommandCodec} would have, within the bounds of {@link Limits}. */
    public static Applied apply(ClusterState before, long index, Proposal proposal) {
        if (index <= before.applied()) {
            // a log that gives an entry again after a restart: what it did is in the state already
            return new Applied(before, new Answer.Done(index), List.of());
        }
        Draft draft = new Draft(before, index, proposal.by(), proposal.atMillis());
        return draft.done(answer(draft, proposal.command()));
    }

    private static Answer answer(Draft draft, Command command) {
        return switch (command) {
            case MemberCommand c -> Membership.apply(draft, c);
            case LeaseCommand c -> Leasing.apply(draft, c);
            case SingletonCommand c -> Singletons.apply(draft, c);
            case NamingCommand c -> Naming.apply(draft, c);
            case TimerCommand c -> Timers.apply(draft, c);
            case DeploymentCommand c -> Deployments.apply(draft, c);
            case CheckpointCommand c -> CheckpointRules.apply(draft, c);
        };
    }
}
