package io.weir.cluster.node;

import io.weir.cluster.lease.LeaseBackend;
import io.weir.cluster.lease.Owner;
import io.weir.cluster.log.ConsensusLog;
import io.weir.cluster.singleton.Activations;
import io.weir.cluster.state.Proposer;
import org.jspecify.annotations.Nullable;

/**
 * Dependencies of a member. Closed by their owner, after the member.
 *
 * @param log opened with {@link ClusterNode#holder()}
 * @param leases lease backend other than the log; null for the log
 * @param activations executes service code
 * @param halt halts the process
 */
public record NodeParts(ConsensusLog log, @Nullable Leases leases, Activations activations, Runnable halt) {
    /** Another lease backend. */
    @FunctionalInterface
    public interface Leases {
        /** Opens the backend for one incarnation of the member. */
        LeaseBackend open(Owner self, Proposer proposer);
    }
}
