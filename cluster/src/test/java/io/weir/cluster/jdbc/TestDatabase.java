package io.weir.cluster.jdbc;

import io.weir.base.Log;
import io.weir.base.Stats;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/** A database with empty tables of its own, for one test. */
final class TestDatabase implements AutoCloseable {
    /** Long enough for a machine that is busy with something else. */
    static final Duration STATEMENT = Duration.ofSeconds(10);

    private static final AtomicInteger COUNT = new AtomicInteger();

    final Dialect dialect;
    final String url;
    final String prefix;
    final Stats stats = new Stats();
    private final Connection keep;

    private TestDatabase(Dialect dialect, String url, String prefix) throws SQLException {
        this.dialect = dialect;
        this.url = url;
        this.prefix = prefix;
        this.keep = DriverManager.getConnection(url);
        Schema.ensure(plain(), true);
    }

    static TestDatabase of(Dialect dialect) throws SQLException {
        int number = COUNT.incrementAndGet();
        return switch (dialect) {
            case H2 -> new TestDatabase(dialect, "jdbc:h2:mem:test" + number + ";DB_CLOSE_DELAY=-1", "");
            case POSTGRESQL -> new TestDatabase(dialect, Postgres.running().url(), "T" + number + "_");
        };
    }

    Database plain() {
        return over(url, STATEMENT, Log.NONE);
    }

    /** Reached by another address, with other patience. */
    Database over(String address, Duration statement, Log log) {
        Connector connector =
                Database.connector(dialect, address, statement, getClass().getClassLoader());
        return with(connector, statement, log);
    }

    Database with(Connector connector, Duration statement, Log log) {
        return new Database(dialect, connector, statement, Duration.ofMillis(200), prefix, "test", 1, log, stats);
    }

    /** A connection of an administrator's. */
    Connection connect() throws SQLException {
        return DriverManager.getConnection(url);
    }

    void execute(String sql) throws SQLException {
        try (Connection c = connect();
                Statement s = c.createStatement()) {
            s.execute(sql);
        }
    }

    String lease() {
        return prefix + Schema.LEASE;
    }

    String log() {
        return prefix + Schema.LOG;
    }

    /** Makes all leases so much older: time passes without anybody waiting for it. */
    void pass(Duration time) throws SQLException {
        String minus = " - interval '" + time.toMillis() / 1000.0 + "' second";
        execute("update " + lease() + " set EXPIRES_AT = EXPIRES_AT" + minus + ", RENEWED_AT = RENEWED_AT" + minus);
    }

    @Override
    public void close() throws SQLException {
        if (dialect == Dialect.H2) {
            execute("shutdown immediately");
        }
        keep.close();
    }
}
