package io.weir.server.cluster;

import io.weir.base.Log;
import io.weir.base.Stats;
import io.weir.cluster.config.ClusterConfig;
import io.weir.cluster.jdbc.DatabaseCluster;
import io.weir.cluster.log.ConsensusLog;
import io.weir.cluster.log.Loop;
import io.weir.cluster.node.ClusterNode;
import io.weir.cluster.node.NodeParts;
import java.io.IOException;

/** Leases and log in a database. Immutable. */
final class DatabaseBasis implements Basis {
    private final DatabaseCluster database;

    private DatabaseBasis(DatabaseCluster database) {
        this.database = database;
    }

    static Basis open(ClusterConfig config, ClusterNode node, ClassLoader drivers, Loop loop, Stats stats, Log log)
            throws IOException {
        try {
            return new DatabaseBasis(
                    DatabaseCluster.open(config, node.self(), drivers, node.holder(), loop, log, stats));
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

    @Override
    public void close() {
        database.log().close();
    }
}
