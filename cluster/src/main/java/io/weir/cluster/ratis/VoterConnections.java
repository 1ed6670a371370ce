package io.weir.cluster.ratis;

import io.weir.base.Log;
import io.weir.cluster.stats.ClusterMessages;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;

/**
 * Connects to the other voters once each election time-out while this member knows no leader. gRPC waits longer after
 * each attempt that fails, up to two minutes, and Ratis ends that wait only on a leader, so that a candidate could not
 * ask a voter for its vote for as long after its return. Nobody else may be able to win: who comes back may lack
 * entries. Confined to the log's timer, but for the calls in progress; lives as long as its log.
 */
final class VoterConnections {
    private final Voter voter;
    private final Log log;
    private final Set<RaftPeerId> called = ConcurrentHashMap.newKeySet();

    VoterConnections(Voter voter, Log log) {
        this.voter = voter;
        this.log = log;
    }

    /** The timer's shutdown ends it. */
    void start(ScheduledExecutorService timer, RatisTimes times) {
        long nanos = times.election().toNanos();
        var _ = timer.scheduleWithFixedDelay(this::check, nanos, nanos, TimeUnit.NANOSECONDS);
    }

    private void check() {
        try {
            for (RaftPeer other : voter.missing()) {
                if (called.add(other.getId())) {
                    voter.reconnect(other, () -> called.remove(other.getId()));
                }
            }
        } catch (RuntimeException e) {
            // an exception would end the schedule
            log.log(ClusterMessages.UNCAUGHT, "connections to voters", e);
        }
    }
}
