package io.weir.server.cluster;

import io.weir.base.Log;
import io.weir.base.Stats;
import io.weir.cluster.lease.LeaseTimes;
import io.weir.cluster.lease.OwnLeases;
import io.weir.cluster.log.ConsensusLog;
import io.weir.cluster.log.LocalLog;
import io.weir.cluster.log.Loop;
import io.weir.cluster.node.NodeParts;
import io.weir.cluster.state.StateHolder;
import io.weir.journal.disk.Disk;
import io.weir.journal.settings.JournalFault;
import java.io.IOException;

/** A cluster of one on a log of its own disk. Immutable. */
final class LocalBasis implements Basis {
    private final LocalLog log;
    private final NodeParts.Leases leases;

    private LocalBasis(LocalLog log, NodeParts.Leases leases) {
        this.log = log;
        this.leases = leases;
    }

    static Basis open(Disk disk, String member, StateHolder state, Loop loop, LeaseTimes times, Stats stats, Log log)
            throws IOException {
        try {
            return new LocalBasis(
                    LocalLog.open(disk, member, state, loop, loop.chance().split(), stats, log),
                    (self, proposer) -> new OwnLeases(self, proposer, state::now, loop.clock(), times));
        } catch (JournalFault | IllegalArgumentException e) {
            throw new IOException("the cluster's log in " + disk.place() + " cannot be opened: " + e.getMessage(), e);
        }
    }

    @Override
    public ConsensusLog log() {
        return log;
    }

    @Override
    public NodeParts.Leases leases() {
        return leases;
    }

    @Override
    public void close() {
        log.close();
    }
}
