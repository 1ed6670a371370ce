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
 * Settings of the cluster's database: dialect, connector, and which rows belong to this cluster. It keeps no connection
 * and no pool; the leases and the log have one connection each, so that neither waits for the other or for an
 * application. Immutable.
 *
 * @param statement time-out of a statement: less than the renewal interval, so that a hung one costs one renewal
 * @param retry longest pause between two attempts to connect
 * @param prefix prefix of the tables' names
 * @param cluster name of the cluster, in whose rows the data is kept
 * @param epoch minimum epoch of the fences issued
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
    /** Value of the domain column of WebLogic's table; Weir has no domains. */
    static final String DOMAIN = "weir";

    /**
     * The database of a configuration.
     *
     * @param drivers class loader that is searched for the driver
     * @param renew the renewal interval
     * @throws IllegalArgumentException if the database is not supported, the prefix is not valid in a table name, or no
     *     driver is found; the message says what to do
     */
    public static Database of(
            DatabaseConfig config, String cluster, Duration renew, ClassLoader drivers, Log log, Stats stats) {
        Dialect dialect = Dialect.of(config.url());
        if (!config.tablePrefix().matches("([A-Za-z_][A-Za-z0-9_]*\\.)?([A-Za-z_][A-Za-z0-9_]*)?")) {
            throw new IllegalArgumentException("cluster.database.table-prefix is " + config.tablePrefix()
                    + ": only letters, digits and _ are allowed, optionally after a schema's name and a dot");
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

    /** A connector to a URL without login, using the first driver that accepts it. */
    static Connector connector(Dialect dialect, String url, Duration statement, ClassLoader drivers) {
        return connector(dialect, url, driver(url, "", drivers), new Properties(), statement);
    }

    private static Connector connector(
            Dialect dialect, String url, Driver driver, Properties login, Duration statement) {
        Properties properties = dialect.connecting(statement);
        properties.putAll(login);
        return () -> prepared(connect(driver, url, properties), dialect, statement);
    }

    /** A copy with another connector. */
    Database with(Connector other) {
        return new Database(dialect, other, statement, retry, prefix, cluster, epoch, log, stats);
    }

    /** The prefixed name of a table. */
    String table(String name) {
        return prefix + name;
    }

    private static Duration shorter(Duration statement, Duration renew) {
        if (statement.compareTo(renew) >= 0) {
            throw new IllegalArgumentException("cluster.database.statement-time-out is " + statement.toMillis()
                    + "ms: it must be shorter than the renewal interval (" + renew.toMillis() + "ms)");
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
            throw new SQLException("the driver " + driver.getClass().getName() + " does not accept " + url);
        }
        return connection;
    }

    /** READ COMMITTED is enough: each decision is one conditional statement on one row, or an insert under a unique key. */
    private static Connection prepared(Connection c, Dialect dialect, Duration statement) throws SQLException {
        try (Statement s = c.createStatement()) {
            // the server cancels a slow statement; this bounds the wait for a server that does not respond at all
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
