package io.weir.cluster.state.members;

import io.weir.cluster.state.ClusterState;

/**
 * A member that joined and was not removed, alive or not: alive while it holds the lease {@code member/NAME}
 * ({@link ClusterState#alive}). Immutable.
 *
 * @param incarnation random number generated at the start of its process
 * @param storage identifier of its data directory, which cannot be used by two processes at once
 * @param address {@code host:port} of its wire listener
 * @param witness votes, but runs no singletons
 * @param joined index of the entry with which this incarnation joined
 * @param leaving whether it is shutting down gracefully: nothing is placed on it
 */
public record MemberState(
        String name, long incarnation, String storage, String address, boolean witness, long joined, boolean leaving) {
    MemberState leavingNow() {
        return new MemberState(name, incarnation, storage, address, witness, joined, true);
    }
}
