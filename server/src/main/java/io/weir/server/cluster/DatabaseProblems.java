package io.weir.server.cluster;

import io.weir.base.ConfigProblem;
import io.weir.cluster.config.ClusterConfig;
import io.weir.cluster.config.Leasing;
import io.weir.cluster.jdbc.DatabaseCluster;
import io.weir.server.config.LoadedConfig;
import java.nio.file.Path;
import java.util.List;

/** The settings of the database for leases that a start would refuse; no connection is made. Stateless. */
public final class DatabaseProblems {
    private DatabaseProblems() {}

    /**
     * Checks its address, the names of its tables and its driver.
     *
     * @param dataDir where it would run
     */
    public static List<ConfigProblem> of(LoadedConfig loaded, Path dataDir) {
        ClusterConfig cluster = loaded.value().cluster();
        if (cluster.leasing() != Leasing.DATABASE || cluster.database().url().isEmpty()) {
            return List.of();
        }
        try {
            DatabaseCluster.check(cluster, new LibClasses(dataDir.resolve(cluster.libDir())).loader());
            return List.of();
        } catch (IllegalArgumentException e) {
            String key = "cluster.database";
            return List.of(new ConfigProblem(loaded.tree().nearestPlace(key), key, String.valueOf(e.getMessage())));
        }
    }
}
