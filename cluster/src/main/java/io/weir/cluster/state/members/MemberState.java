package io.weir.cluster.state.members;

import io.weir.cluster.state.ClusterState;

/**
 * A member that joined and was not removed, alive or not: alive while it holds the lease {@code member/NAME}
 * ({@link ClusterState#alive}). Immutable.
 *
 * @param incarnation drawn at its process's start
 * @param storage identity of its data directory: the same one cannot be in use by two processes
 * @param address of its wire listener, {@code host:port}
 * @param witness votes, but is given no singleton
 * @param joined index of the entry by which this incarnation joined
 * @param leaving it shuts down in order: nothing is placed on it any more
 */
public record MemberState(
        String name, long incarnation, String storage, String address, boolean witness, long joined, boolean leaving) {
    MemberState leavingNow() {
        return new MemberState(name, incarnation, storage, address, witness, joined, true);
    }
}
