package io.weir.server.cluster;

import io.weir.base.Log;
import io.weir.base.Stats;
import io.weir.cluster.log.ConsensusLog;
import io.weir.cluster.log.LocalLog;
import io.weir.cluster.log.Loop;
import io.weir.cluster.log.ReplicatedState;
import io.weir.journal.JournalFault;
import java.io.IOException;
import java.nio.file.Path;

/** A cluster of one on a log of its own disk. Immutable. */
final class LocalBasis implements Basis {
    private final LocalLog log;

    private LocalBasis(LocalLog log) {
        this.log = log;
    }

    static Basis open(Path folder, String member, ReplicatedState state, Loop loop, Stats stats, Log log)
            throws IOException {
        try {
            return new LocalBasis(
                    LocalLog.open(folder, member, state, loop, loop.chance().split(), stats, log));
        } catch (JournalFault | IllegalArgumentException e) {
            throw new IOException("the cluster's log in " + folder + " cannot be opened: " + e.getMessage(), e);
        }
    }

    @Override
    public ConsensusLog log() {
        return log;
    }

    @Override
    public void close() {
        log.close();
    }
}
