package io.weir.cluster.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Properties;

/**
 * The differences between databases: the expression for the current time, types, time-outs and errors. A database is
 * supported when the conformance suite passes on it; to add one, add a constant and its fixture. Oracle (SYSTIMESTAMP),
 * MySQL (SYSDATE(6)) and SQL Server (SYSDATETIMEOFFSET()) can express everything required here, but the suite was never
 * run on them.
 */
enum Dialect {
    /**
     * {@code now()} returns the transaction's start time, so leases use {@code clock_timestamp()}. The server enforces
     * the statement time-out independently of the client.
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
            // immediately: a regular close would wait for a server that does not respond
            lost.abort(Runnable::run);
        }
    },

    /**
     * Its current time is the transaction's start time, which is earlier than the actual time: a lease ends earlier and
     * is taken over later, both of which are safe.
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
     * The dialect of a JDBC URL.
     *
     * @throws IllegalArgumentException if the database is not supported
     */
    static Dialect of(String url) {
        return Arrays.stream(values())
                .filter(d -> url.startsWith(d.scheme))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("cluster.database.url is " + url
                        + ": supported are PostgreSQL (jdbc:postgresql:…) and H2 (jdbc:h2:…)"));
    }

    /** The expression for the database's current time. */
    String now() {
        return now;
    }

    /** The expression for the database's current time plus a number of milliseconds, its one parameter. */
    String later() {
        return later;
    }

    /** The column type of an entry's bytes, at most {@link LogTable#MAX_ENTRY}. */
    String bytes() {
        return bytes;
    }

    /** The column type of a snapshot. */
    String large() {
        return large;
    }

    /** Statements executed once on each new connection, which set the statement time-out. */
    abstract List<String> session(Duration statement);

    /** Connection properties of the driver, so that connecting takes no longer than a statement. */
    abstract Properties connecting(Duration statement);

    /** Closes a connection whose state is unknown. */
    abstract void abandon(Connection lost) throws SQLException;

    /** Whether an insert failed because of a duplicate key. */
    static boolean duplicate(SQLException e) {
        for (SQLException at = e; at != null; at = at.getNextException()) {
            if (UNIQUE.equals(at.getSQLState())) {
                return true;
            }
        }
        return false;
    }

    /** Whether the error means a lost connection: class 08, or a server shutdown. */
    static boolean lost(SQLException e) {
        String state = e.getSQLState();
        return state != null && (state.startsWith("08") || state.startsWith("57P") || H2_GONE.contains(state));
    }

    /** Whether a statement timed out: it was canceled, or a lock could not be acquired. */
    static boolean timedOut(SQLException e) {
        String state = e.getSQLState();
        return state != null && (state.equals("57014") || state.equals("55P03") || state.equals("HYT00"));
    }

    /** Connection broken, database closed, object closed, closed by shutdown. */
    private static final List<String> H2_GONE = List.of("90067", "90098", "90007", "90121");
}
