package io.weir.cluster.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The tables of the cluster. {@code CLUSTER_LEASE} has the columns of WebLogic's table {@code ACTIVE}, plus the fence
 * that it lacks. Immutable.
 */
final class Schema {
    static final String LEASE = "CLUSTER_LEASE";
    static final String LOG = "CLUSTER_LOG";
    static final String SNAPSHOT = "CLUSTER_SNAPSHOT";

    private static final String LEASE_COLUMNS = """
            (
              DOMAIN_NAME varchar(255) not null,
              CLUSTER_NAME varchar(255) not null,
              LEASE_NAME varchar(255) not null,
              OWNER varchar(255),
              OWNER_INSTANCE varchar(255),
              FENCE_EPOCH bigint not null,
              FENCE bigint not null,
              EXPIRES_AT timestamp(6) with time zone,
              RENEWED_AT timestamp(6) with time zone,
              STATE varchar(16) not null,
              PREFERRED varchar(255),
              TRANSITIONS bigint not null,
              primary key (DOMAIN_NAME, CLUSTER_NAME, LEASE_NAME)
            )""";
    private static final String LOG_COLUMNS = """
            (
              DOMAIN_NAME varchar(255) not null,
              CLUSTER_NAME varchar(255) not null,
              SEQ bigint not null,
              REQUEST_ID varchar(64) not null,
              PROPOSER varchar(255) not null,
              WRITTEN_AT timestamp(6) with time zone not null,
              ENTRY :bytes not null,
              primary key (DOMAIN_NAME, CLUSTER_NAME, SEQ),
              unique (DOMAIN_NAME, CLUSTER_NAME, REQUEST_ID)
            )""";
    private static final String SNAPSHOT_COLUMNS = """
            (
              DOMAIN_NAME varchar(255) not null,
              CLUSTER_NAME varchar(255) not null,
              SEQ bigint not null,
              WRITTEN_AT timestamp(6) with time zone not null,
              STATE :bytes not null,
              primary key (DOMAIN_NAME, CLUSTER_NAME)
            )""";

    private Schema() {}

    /** The statements that create the tables, by table name. */
    static Map<String, String> statements(Dialect dialect, String prefix) {
        Map<String, String> all = new LinkedHashMap<>();
        all.put(prefix + LEASE, "create table " + prefix + LEASE + " " + LEASE_COLUMNS);
        all.put(prefix + LOG, "create table " + prefix + LOG + " " + LOG_COLUMNS.replace(":bytes", dialect.bytes()));
        all.put(
                prefix + SNAPSHOT,
                "create table " + prefix + SNAPSHOT + " " + SNAPSHOT_COLUMNS.replace(":bytes", dialect.large()));
        return all;
    }

    /** The same as a script for an administrator. */
    static String script(Dialect dialect, String prefix) {
        return String.join(";\n\n", statements(dialect, prefix).values()) + ";\n";
    }

    /**
     * Ensures that the tables exist.
     *
     * @param create whether missing ones are created
     * @throws SQLException if the database is unreachable or denies access
     * @throws IllegalStateException if some are missing and must not be created; the message contains the statements
     */
    static void ensure(Database database, boolean create) throws SQLException {
        try (Connection c = database.connector().open()) {
            c.setAutoCommit(true);
            for (Map.Entry<String, String> table :
                    statements(database.dialect(), database.prefix()).entrySet()) {
                if (!exists(c, table.getKey())) {
                    if (!create) {
                        throw new IllegalStateException("the table " + table.getKey()
                                + " is missing in the cluster's database and cluster.database.create-tables is off."
                                + " Create it with these statements:\n\n"
                                + script(database.dialect(), database.prefix()));
                    }
                    create(database, c, table.getKey(), table.getValue());
                }
            }
        }
    }

    private static void create(Database database, Connection c, String table, String statement) throws SQLException {
        try (Statement s = c.createStatement()) {
            s.execute(statement);
            database.log().log(DatabaseMessages.CREATED, table);
        } catch (SQLException e) {
            // another member may have created it concurrently
            if (!exists(c, table)) {
                throw e;
            }
        }
    }

    private static boolean exists(Connection c, String table) throws SQLException {
        try (Statement s = c.createStatement()) {
            s.execute("select 1 from " + table + " where 1 = 0");
            return true;
        } catch (SQLException e) {
            String state = String.valueOf(e.getSQLState());
            // undefined table, undefined schema; H2's two codes for a missing table
            if (state.equals("42P01")
                    || state.equals("3F000")
                    || state.startsWith("42S0")
                    || state.startsWith("4210")) {
                return false;
            }
            throw e;
        }
    }
}
