package io.weir.cluster.jdbc;

import io.weir.base.Log;
import io.weir.base.Stats;
import io.weir.cluster.config.DatabaseConfig;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Properties;
import java.util.ServiceLoader;

/**
 * The cluster's database as its users see it: its dialect, how to connect, whose rows are ours. It keeps no connection and no
 * pool; the leases and the log have one connection each, so that neither waits for the other or for an application. Immutable.
 *
 * @param statement how long a statement may take: less than the interval of renewals, so that a stuck one costs one renewal
 * @param retry longest pause between two attempts to connect
 * @param prefix what the tables' names begin with
 * @param cluster whose rows are ours
 * @param epoch least epoch of the fences given
 */
public record Database(
        Dialect dialect,
        Connector connector,
        Duration statement,
        Duration retry,
        String prefix,
        String cluster,
        long epoch,
        Log log,
        Stats stats) {
    /** Fills the column that WebLogic's table has for the domain; Weir has no domains. */
    static final String DOMAIN = "weir";

    /**
     * The database of a configuration.
     *
     * @param drivers where the driver's class is looked for
     * @param renew the interval of renewals
     * @throws IllegalArgumentException for a database that is not supported, a name that cannot be a table's, or without a
     *     driver; the text says what to do
     */
    public static Database of(
            DatabaseConfig config, String cluster, Duration renew, ClassLoader drivers, Log log, Stats stats) {
        Dialect dialect = Dialect.of(config.url());
        if (!config.tablePrefix().matches("([A-Za-z_][A-Za-z0-9_]*\\.)?([A-Za-z_][A-Za-z0-9_]*)?")) {
            throw new IllegalArgumentException("cluster.database.table-prefix is " + config.tablePrefix()
                    + ": letters, digits and _, with a schema's name and a dot before them if need be");
        }
        Duration statement =
                config.statementTimeOut().isZero() ? renew.dividedBy(2) : shorter(config.statementTimeOut(), renew);
        Driver driver = driver(config.url(), config.driver(), drivers);
        Properties login = new Properties();
        if (!config.user().isEmpty()) {
            login.setProperty("user", config.user());
        }
        if (!config.password().isEmpty()) {
            login.setProperty("password", config.password());
        }
        Connector connector = connector(dialect, config.url(), driver, login, statement);
        return new Database(
                dialect,
                connector,
                statement,
                config.retryDelay(),
                config.tablePrefix(),
                cluster,
                config.epoch(),
                log,
                stats);
    }

    /** Connections to an address without a login, by whichever driver takes it. */
    static Connector connector(Dialect dialect, String url, Duration statement, ClassLoader drivers) {
        return connector(dialect, url, driver(url, "", drivers), new Properties(), statement);
    }

    private static Connector connector(
            Dialect dialect, String url, Driver driver, Properties login, Duration statement) {
        Properties properties = dialect.connecting(statement);
        properties.putAll(login);
        return () -> prepared(connect(driver, url, properties), dialect, statement);
    }

    /** The same, connected otherwise. */
    Database with(Connector other) {
        return new Database(dialect, other, statement, retry, prefix, cluster, epoch, log, stats);
    }

    /** A table's name. */
    String table(String name) {
        return prefix + name;
    }

    private static Duration shorter(Duration statement, Duration renew) {
        if (statement.compareTo(renew) >= 0) {
            throw new IllegalArgumentException("cluster.database.statement-time-out is " + statement.toMillis()
                    + "ms: it must be shorter than the interval of renewals (" + renew.toMillis() + "ms)");
        }
        return statement;
    }

    private static Driver driver(String url, String name, ClassLoader drivers) {
        try {
            if (!name.isEmpty()) {
                return Class.forName(name, true, drivers)
                        .asSubclass(Driver.class)
                        .getDeclaredConstructor()
                        .newInstance();
            }
            for (Driver driver : ServiceLoader.load(Driver.class, drivers)) {
                if (driver.acceptsURL(url)) {
                    return driver;
                }
            }
        } catch (ReflectiveOperationException | ClassCastException | SQLException e) {
            throw new IllegalArgumentException("cluster.database.driver " + name + " cannot be used: " + e, e);
        }
        throw new IllegalArgumentException("no JDBC driver for " + url
                + ": put its jar into cluster.lib-dir, or name its class in cluster.database.driver");
    }

    private static Connection connect(Driver driver, String url, Properties properties) throws SQLException {
        Connection connection = driver.connect(url, (Properties) properties.clone());
        if (connection == null) {
            throw new SQLException("the driver " + driver.getClass().getName() + " does not take " + url);
        }
        return connection;
    }

    /** READ COMMITTED is enough: each decision is one conditional statement on one row, or an insert under a unique key. */
    private static Connection prepared(Connection c, Dialect dialect, Duration statement) throws SQLException {
        try (Statement s = c.createStatement()) {
            // the server ends a slow statement; this ends the wait for a server that does not answer at all
            c.setNetworkTimeout(Runnable::run, (int) Math.min(Integer.MAX_VALUE, 2 * statement.toMillis()));
            c.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
            for (String setting : dialect.session(statement)) {
                s.execute(setting);
            }
            c.setAutoCommit(false);
            return c;
        } catch (SQLException e) {
            c.close();
            throw e;
        }
    }
}
