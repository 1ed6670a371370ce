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
 * The parts of a member with {@code leasing: database}, in start order: the database, the log in it, and the leases.
 * Lives as long as the member; the parts it opened are closed by their users.
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
     * Opens the log, which applies its entries to the holder. Blocks while the tables are checked. Succeeds also if the
     * database is unreachable: the member retries.
     *
     * @param self this incarnation of the member
     * @param drivers class loader that is searched for the database's driver
     * @throws IllegalArgumentException for invalid settings; the message says what to do
     * @throws IllegalStateException if tables are missing and must not be created; the message contains the statements
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
     * Checks the settings that {@link #open} would refuse, without connecting.
     *
     * @throws IllegalArgumentException for invalid settings; the message says what to do
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

    /** A copy of the database whose first connection checks and creates the tables. */
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

    /** The cluster's log. */
    public ConsensusLog log() {
        return log;
    }

    /** The lease backend of one incarnation of the member, as required by {@code NodeParts.Leases}. */
    public LeaseBackend leases(Owner self, Proposer proposer) {
        return new RecordedLeases(new RowLeases(database, self, times, loop), proposer, holder::now);
    }
}
