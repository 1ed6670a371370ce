package io.weir.server.cluster;

import io.weir.base.Log;
import io.weir.base.Stats;
import io.weir.cluster.config.ClusterConfig;
import io.weir.cluster.jdbc.DatabaseCluster;
import io.weir.cluster.lease.Owner;
import io.weir.cluster.log.ConsensusLog;
import io.weir.cluster.log.LogStatus;
import io.weir.cluster.log.Loop;
import io.weir.cluster.node.NodeParts;
import io.weir.cluster.state.StateHolder;
import java.io.IOException;

/** Leases and log in a database. Immutable. */
final class DatabaseBasis implements Basis {
    private final DatabaseCluster database;

    private DatabaseBasis(DatabaseCluster database) {
        this.database = database;
    }

    static Basis open(
            ClusterConfig config, Owner self, ClassLoader drivers, StateHolder state, Loop loop, Stats stats, Log log)
            throws IOException {
        try {
            return new DatabaseBasis(DatabaseCluster.open(config, self, drivers, state, loop, log, stats));
        } catch (IllegalArgumentException | IllegalStateException e) {
            throw new IOException("cluster.database: " + e.getMessage(), e);
        }
    }

    @Override
    public ConsensusLog log() {
        return database.log();
    }

    @Override
    public NodeParts.Leases leases() {
        return database::leases;
    }

    /** What the log does not say yet: the database cannot be reached. */
    @Override
    public String waiting() {
        return database.log().status().role() == LogStatus.Role.NONE ? "for the database" : "";
    }

    @Override
    public void close() {
        database.log().close();
    }
}
