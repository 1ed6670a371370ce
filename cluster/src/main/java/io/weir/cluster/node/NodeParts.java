package io.weir.cluster.node;

import io.weir.cluster.lease.LeaseBackend;
import io.weir.cluster.lease.Owner;
import io.weir.cluster.log.ConsensusLog;
import io.weir.cluster.singleton.Activations;
import io.weir.cluster.state.Proposer;
import org.jspecify.annotations.Nullable;

/**
 * What a member stands on. Its own keeper closes it, after the member.
 *
 * @param log opened with {@link ClusterNode#holder()}
 * @param leases where leases are kept other than in the log; null for the log
 * @param activations where services' code runs
 * @param halt ends the process at once
 */
public record NodeParts(ConsensusLog log, @Nullable Leases leases, Activations activations, Runnable halt) {
    /** Another basis of leasing. */
    @FunctionalInterface
    public interface Leases {
        /** Opened for one life of the member. */
        LeaseBackend open(Owner self, Proposer proposer);
    }
}
