package io.weir.server.cluster;

import io.weir.cluster.log.ConsensusLog;
import io.weir.cluster.members.MembershipFault;
import io.weir.cluster.node.NodeParts;
import io.weir.wire.FrameHandler;
import io.weir.wire.WireConnection;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The basis of the cluster: a local log, a consensus log of the members, or a database. Each loads only the libraries
 * that it needs. Opened and closed with the server's part of the cluster; shared.
 */
interface Basis extends AutoCloseable {
    ConsensusLog log();

    /** The store of leases outside the log; null if leases are in the log. */
    default NodeParts.@Nullable Leases leases() {
        return null;
    }

    /** What this member waits for before the log accepts commands; empty once it does. */
    default String waiting() {
        return "";
    }

    /** As {@link ClusterAccess#membership}. */
    default CompletableFuture<String> membership(String what, String member, String address) {
        return CompletableFuture.failedFuture(new MembershipFault(
                "members are added and removed only in a cluster with leasing: consensus and cluster.members: set these and"
                        + " restart (with a database members need not be added)",
                true));
    }

    /** The handler of frames between members on a connection; null if there are none. */
    default @Nullable FrameHandler frames(WireConnection connection) {
        return null;
    }

    @Override
    void close();
}
