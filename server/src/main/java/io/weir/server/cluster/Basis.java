package io.weir.server.cluster;

import io.weir.cluster.log.ConsensusLog;
import io.weir.cluster.members.MembershipFault;
import io.weir.cluster.node.NodeParts;
import io.weir.wire.FrameHandler;
import io.weir.wire.WireConnection;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * What the cluster stands on: a local log, a log that members agree on, or a database. Each loads its own libraries only. Opened
 * and closed with the server's part of the cluster; shared.
 */
interface Basis extends AutoCloseable {
    ConsensusLog log();

    /** Where leases are kept other than in the log; null for the log. */
    default NodeParts.@Nullable Leases leases() {
        return null;
    }

    /** What this member waits for before the log takes commands; empty when it does. */
    default String waiting() {
        return "";
    }

    /** As {@link ClusterAccess#membership}. */
    default CompletableFuture<String> membership(String what, String member, String address) {
        return CompletableFuture.failedFuture(new MembershipFault(
                "members come and go by themselves here: only with leasing: consensus does a log have voters", true));
    }

    /** Takes the frames between members of a connection; null where there are none. */
    default @Nullable FrameHandler frames(WireConnection connection) {
        return null;
    }

    @Override
    void close();
}
