package io.weir.cluster.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Properties;

/**
 * What differs between databases: how they say the time of this very moment, types, time-outs and errors. A database is
 * supported when the conformance suite passes on it; to add one, add a constant and its fixture. Oracle (SYSTIMESTAMP),
 * MySQL (SYSDATE(6)) and SQL Server (SYSDATETIMEOFFSET()) can express all that is needed here, but the suite was never
 * run on them.
 */
enum Dialect {
    /**
     * {@code now()} is the start of the transaction there, which is why leases use {@code clock_timestamp()}. The
     * server ends a statement by itself, whatever the client does.
     */
    POSTGRESQL(
            "jdbc:postgresql:",
            "clock_timestamp()",
            "clock_timestamp() + ? * interval '1 millisecond'",
            "bytea",
            "bytea") {
        @Override
        List<String> session(Duration statement) {
            long millis = statement.toMillis();
            return List.of(
                    "set statement_timeout = " + millis,
                    "set lock_timeout = " + millis,
                    "set idle_in_transaction_session_timeout = " + 10 * millis);
        }

        @Override
        Properties connecting(Duration statement) {
            Properties properties = new Properties();
            String seconds = Long.toString(Math.max(1, statement.toSeconds()));
            properties.setProperty("connectTimeout", seconds);
            properties.setProperty("loginTimeout", seconds);
            properties.setProperty("tcpKeepAlive", "true");
            properties.setProperty("ApplicationName", "weir");
            return properties;
        }

        @Override
        void abandon(Connection lost) throws SQLException {
            // at once: a polite farewell to a server that does not answer would wait for it
            lost.abort(Runnable::run);
        }
    },

    /**
     * Its current time is the start of the transaction: earlier than this moment, which makes a lease end earlier and a
     * theft later, both on the safe side.
     */
    H2(
            "jdbc:h2:",
            "current_timestamp(6)",
            "dateadd(millisecond, ?, current_timestamp(6))",
            "varbinary(1048576)",
            "blob") {
        @Override
        List<String> session(Duration statement) {
            return List.of("set query_timeout " + statement.toMillis(), "set lock_timeout " + statement.toMillis());
        }

        @Override
        Properties connecting(Duration statement) {
            return new Properties();
        }

        @Override
        void abandon(Connection lost) throws SQLException {
            lost.close();
        }
    };

    private static final String UNIQUE = "23505";

    private final String scheme;
    private final String now;
    private final String later;
    private final String bytes;
    private final String large;

    Dialect(String scheme, String now, String later, String bytes, String large) {
        this.scheme = scheme;
        this.now = now;
        this.later = later;
        this.bytes = bytes;
        this.large = large;
    }

    /**
     * The dialect of an address.
     *
     * @throws IllegalArgumentException for a database that is not supported
     */
    static Dialect of(String url) {
        return Arrays.stream(values())
                .filter(d -> url.startsWith(d.scheme))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("cluster.database.url is " + url
                        + ": supported are PostgreSQL (jdbc:postgresql:…) and H2 (jdbc:h2:…)"));
    }

    /** An expression: the database's time of this moment. */
    String now() {
        return now;
    }

    /** An expression with one place, for milliseconds: the database's time so much later. */
    String later() {
        return later;
    }

    /** The type of an entry's bytes; at most {@link LogTable#MAX_ENTRY} of them. */
    String bytes() {
        return bytes;
    }

    /** The type of a snapshot. */
    String large() {
        return large;
    }

    /** Statements run once on each new connection, so that no statement outlives its time-out. */
    abstract List<String> session(Duration statement);

    /** The driver's own properties, so that connecting takes no longer than a statement. */
    abstract Properties connecting(Duration statement);

    /** Ends a connection that is no longer trusted. */
    abstract void abandon(Connection lost) throws SQLException;

    /** Whether a row was refused because its key is there already. */
    static boolean duplicate(SQLException e) {
        for (SQLException at = e; at != null; at = at.getNextException()) {
            if (UNIQUE.equals(at.getSQLState())) {
                return true;
            }
        }
        return false;
    }

    /** Whether the error means a lost connection: class 08, or a server that shuts down. */
    static boolean lost(SQLException e) {
        String state = e.getSQLState();
        return state != null && (state.startsWith("08") || state.startsWith("57P") || H2_GONE.contains(state));
    }

    /** Whether a statement was ended because it took too long: canceled, or a lock was not to be had. */
    static boolean timedOut(SQLException e) {
        String state = e.getSQLState();
        return state != null && (state.equals("57014") || state.equals("55P03") || state.equals("HYT00"));
    }

    /** Connection broken, database closed, object closed, closed by shutdown. */
    private static final List<String> H2_GONE = List.of("90067", "90098", "90007", "90121");
}
