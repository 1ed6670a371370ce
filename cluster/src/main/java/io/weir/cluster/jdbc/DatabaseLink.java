package io.weir.cluster.jdbc;

import io.weir.base.Clock;
import io.weir.cluster.stats.ClusterStats;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One connection to the cluster's database, opened on demand and reopened with backoff when it was lost. Confined to
 * the thread that uses it, which it may block for about three statement time-outs. Lives as long as its user.
 */
final class DatabaseLink implements AutoCloseable {
    private static final Duration FIRST_PAUSE = Duration.ofMillis(50);

    /** The body of one transaction. It may be executed twice if the connection was lost, so it must be conditional. */
    interface Work<T> {
        T in(Connection connection) throws SQLException;
    }

    private final Database database;
    private final String user;
    private final Clock clock;
    private @Nullable Connection connection;
    private boolean unreachable;
    private long pause;
    private long notBefore;

    /**
     * Creates a link that connects on first use.
     *
     * @param user name of the user in log messages: leases, or log
     */
    DatabaseLink(Database database, String user, Clock clock) {
        this.database = database;
        this.user = user;
        this.clock = clock;
    }

    /**
     * Executes the work in a transaction and commits it. If a kept connection turns out to be lost, the work is
     * executed once more over a new one, so it must be idempotent.
     *
     * @throws DatabaseFault which tells whether the work may have been committed nevertheless
     */
    <T> T call(Work<T> work) throws DatabaseFault {
        if (unreachable && clock.nanos() - notBefore < 0) {
            throw new DatabaseFault("the cluster's database is unreachable and will be retried shortly");
        }
        long begun = clock.nanos();
        boolean kept = connection != null;
        try {
            T done = attempt(work);
            database.stats().histogram(ClusterStats.DATABASE_TIME).record(clock.nanos() - begun);
            return done;
        } catch (DatabaseFault fault) {
            if (!kept || connection != null) {
                throw fault;
            }
            return retry(work, fault);
        }
    }

    private <T> T retry(Work<T> work, DatabaseFault first) throws DatabaseFault {
        try {
            return attempt(work);
        } catch (DatabaseFault second) {
            boolean sure = first.nothingHappened() && second.nothingHappened();
            throw sure || !second.nothingHappened()
                    ? second
                    : new DatabaseFault(String.valueOf(second.getMessage()), false, second);
        }
    }

    private <T> T attempt(Work<T> work) throws DatabaseFault {
        Connection c = opened();
        boolean committing = false;
        try {
            T done = work.in(c);
            committing = true;
            c.commit();
            return done;
        } catch (SQLException e) {
            count(Dialect.timedOut(e) ? "time-out" : "statement");
            undo(c, e);
            throw new DatabaseFault(e.getMessage() + " (" + e.getSQLState() + ")", !committing, e);
        }
    }

    private Connection opened() throws DatabaseFault {
        Connection c = connection;
        if (c != null) {
            return c;
        }
        try {
            c = database.connector().open();
        } catch (SQLException e) {
            count("connect");
            backOff(e);
            throw new DatabaseFault("no connection to the cluster's database: " + e.getMessage(), true, e);
        }
        connection = c;
        if (unreachable) {
            database.log().log(DatabaseMessages.BACK, user);
        }
        unreachable = false;
        pause = 0;
        return c;
    }

    private void backOff(SQLException e) {
        if (!unreachable) {
            database.log().log(DatabaseMessages.AWAY, user, e);
        }
        unreachable = true;
        pause = Math.min(
                Math.max(FIRST_PAUSE.toNanos(), 2 * pause), database.retry().toNanos());
        notBefore = clock.nanos() + pause;
    }

    /** Rolls back the transaction; closes the connection unless it is certainly intact. */
    private void undo(Connection c, SQLException e) {
        try {
            if (!Dialect.lost(e) && !c.isClosed()) {
                c.rollback();
                return;
            }
        } catch (SQLException failed) {
            e.addSuppressed(failed);
        }
        drop(e);
    }

    private void drop(SQLException e) {
        Connection c = connection;
        connection = null;
        database.log().log(DatabaseMessages.LOST, user, e);
        if (c != null) {
            try {
                database.dialect().abandon(c);
            } catch (SQLException again) {
                e.addSuppressed(again);
            }
        }
    }

    private void count(String what) {
        database.stats().counter(ClusterStats.DATABASE_FAILURES, what).inc();
    }

    @Override
    public void close() {
        Connection c = connection;
        connection = null;
        if (c == null) {
            return;
        }
        try {
            c.rollback();
            c.close();
        } catch (SQLException e) {
            database.log().log(DatabaseMessages.LOST, user, e);
        }
    }
}
