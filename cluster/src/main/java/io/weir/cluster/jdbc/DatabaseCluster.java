package io.weir.cluster.jdbc;

import io.weir.base.Clock;
import io.weir.base.Log;
import io.weir.base.Stats;
import io.weir.cluster.config.ClusterConfig;
import io.weir.cluster.lease.LeaseBackend;
import io.weir.cluster.lease.LeaseTimes;
import io.weir.cluster.lease.Owner;
import io.weir.cluster.log.ConsensusLog;
import io.weir.cluster.log.Loop;
import io.weir.cluster.state.Proposer;
import io.weir.cluster.state.StateHolder;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * What a member of a cluster with {@code leasing: database} stands on, in the order in which it is needed: the database, the
 * log of decisions in it, and the leases. Lives as long as the member; what it opened closes on its own.
 */
public final class DatabaseCluster {
    private final Database database;
    private final LeaseTimes times;
    private final Loop loop;
    private final StateHolder holder;
    private final ConsensusLog log;

    private DatabaseCluster(Database database, LeaseTimes times, Loop loop, StateHolder holder, ConsensusLog log) {
        this.database = database;
        this.times = times;
        this.loop = loop;
        this.holder = holder;
        this.log = log;
    }

    /**
     * Opens the log, which applies to the holder. Blocks while the tables are looked at. A database that is away refuses
     * nothing: the member waits for it.
     *
     * @param self this life of the member
     * @param drivers where the database's driver is looked for
     * @throws IllegalArgumentException for settings that cannot be; the text says what to do
     * @throws IllegalStateException when tables are missing and are not to be made; the text holds the statements
     */
    public static DatabaseCluster open(
            ClusterConfig config,
            Owner self,
            ClassLoader drivers,
            StateHolder holder,
            Loop loop,
            Log log,
            Stats stats) {
        LeaseTimes times = LeaseTimes.of(config.lease());
        Database found = Database.of(config.database(), config.name(), times.renew(), drivers, log, stats);
        Database database = withTables(found, config.database().createTables());
        Clock clock = loop.clock();
        ConsensusLog decisions = JdbcLog.open(database, config.database(), config.log(), times, self, holder, clock)
                .among(() -> holder.now().members().values());
        return new DatabaseCluster(database, times, loop, holder, decisions);
    }

    /**
     * Looks at what {@link #open} would refuse before it connects.
     *
     * @throws IllegalArgumentException for settings that cannot be; the text says what to do
     */
    public static void check(ClusterConfig config, ClassLoader drivers) {
        Database.of(
                config.database(),
                config.name(),
                LeaseTimes.of(config.lease()).renew(),
                drivers,
                Log.NONE,
                new Stats());
    }

    /** The same database, whose first connection looks after the tables. */
    static Database withTables(Database database, boolean create) {
        AtomicBoolean there = new AtomicBoolean();
        try {
            Schema.ensure(database, create);
            there.set(true);
        } catch (SQLException e) {
            database.log().log(DatabaseMessages.AWAY, "tables", e);
        }
        Connector connector = () -> {
            Connection c = database.connector().open();
            if (!there.get()) {
                ensure(database, create, c);
                there.set(true);
            }
            return c;
        };
        return database.with(connector);
    }

    private static void ensure(Database database, boolean create, Connection first) throws SQLException {
        try {
            Schema.ensure(database, create);
        } catch (SQLException e) {
            first.close();
            throw e;
        } catch (IllegalStateException missing) {
            first.close();
            throw new SQLException(missing.getMessage(), missing);
        }
    }

    /** The log of decisions. */
    public ConsensusLog log() {
        return log;
    }

    /** The leases of one life of the member: what {@code NodeParts.Leases} asks for. */
    public LeaseBackend leases(Owner self, Proposer proposer) {
        return new RecordedLeases(new RowLeases(database, self, times, loop), proposer, holder::now);
    }
}
