package io.weir.server.cluster;

import io.weir.base.Log;
import io.weir.base.Stats;
import io.weir.cluster.config.ClusterConfig;
import io.weir.cluster.jdbc.Database;
import io.weir.cluster.jdbc.JdbcLog;
import io.weir.cluster.jdbc.RowLeases;
import io.weir.cluster.lease.LeaseTimes;
import io.weir.cluster.lease.Owner;
import io.weir.cluster.log.ConsensusLog;
import io.weir.cluster.log.Loop;
import io.weir.cluster.log.ReplicatedState;
import io.weir.cluster.node.NodeParts;
import java.io.IOException;

/** Leases and log in a database. Immutable. */
final class DatabaseBasis implements Basis {
    private final JdbcLog log;
    private final NodeParts.Leases leases;

    private DatabaseBasis(JdbcLog log, NodeParts.Leases leases) {
        this.log = log;
        this.leases = leases;
    }

    static Basis open(
            ClusterConfig config,
            Owner self,
            ClassLoader drivers,
            ReplicatedState state,
            Loop loop,
            Stats stats,
            Log log)
            throws IOException {
        LeaseTimes times = LeaseTimes.of(config.lease());
        try {
            Database database = Database.of(config.database(), config.name(), times.renew(), drivers, log, stats);
            JdbcLog opened = JdbcLog.open(database, config.database(), config.log(), times, self, state, loop.clock());
            return new DatabaseBasis(opened, (owner, _) -> new RowLeases(database, owner, times, loop));
        } catch (IllegalArgumentException e) {
            throw new IOException("cluster.database: " + e.getMessage(), e);
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
