package io.weir.cluster.config;

import io.weir.base.Knob;
import io.weir.base.Unwatched;
import java.time.Duration;
import java.util.Objects;

/** The section {@code cluster.database}: the database that keeps leases where {@code leasing} is database. Immutable. */
public record DatabaseConfig(
        @Knob(
                doc = "Its address for JDBC, such as jdbc:postgresql://db/weir. Needed with leasing: database.",
                knownAs = "DataSourceForAutomaticMigration",
                unwatched = Unwatched.NAME)
        String url,

        @Knob(doc = "Who logs in.", unwatched = Unwatched.NAME)
        String user,

        @Knob(doc = "The user's password.", secret = true, unwatched = Unwatched.SECRET)
        String password,

        @Knob(
                doc = "Class of the driver, from the jars of lib-dir or the server's own; empty: whichever driver takes"
                        + " the address.",
                unwatched = Unwatched.NAME)
        String driver,

        @Knob(
                doc = "What the tables' names begin with, a schema's name and a dot for instance:"
                        + " CLUSTER_LEASE and CLUSTER_LOG follow it.",
                knownAs = "AutoMigrationTableName",
                unwatched = Unwatched.NAME)
        String tablePrefix,

        @Knob(
                doc = "Creates the tables where they are missing. Off needs them beforehand: docs/sql has the"
                        + " statements.",
                value = "on",
                knownAs = "AutoMigrationTableCreationPolicy",
                unwatched = Unwatched.SWITCH)
        boolean createTables,

        @Knob(
                doc =
                        "How often the table of decisions is read for what other members wrote while nothing happens; after"
                                + " a decision it is read each 10 ms for a while. Shorter shows the beginning of a move sooner"
                                + " and asks the database more often.",
                value = "100ms",
                min = "10ms",
                max = "1m",
                watch = {"weir_cluster_database_time", "weir_cluster_submit_time"})
        Duration poll,

        @Knob(
                doc = "How long a statement may take. 0 is half of the interval of renewals.",
                value = "0s",
                max = "5m",
                watch = {"weir_cluster_database_failures_total", "weir_cluster_database_time"})
        Duration statementTimeOut,

        @Knob(
                doc = "How long after a failure the database is tried again.",
                value = "1s",
                min = "10ms",
                max = "1m",
                watch = "weir_cluster_database_failures_total",
                knownAs = "DatabaseLeasingBasisConnectionRetryDelay")
        Duration retryDelay,

        @Knob(
                doc =
                        "Epoch of the fences that the database gives. Raise it, on all members, after the database lost what"
                                + " it had committed: a copy that lagged was promoted, or a backup restored.",
                value = "1",
                min = "1",
                max = "1000000000",
                watch = "weir_cluster_fence_refused_total")
        long epoch) {
    public DatabaseConfig {
        // not given: empty
        url = Objects.requireNonNullElse(url, "");
        user = Objects.requireNonNullElse(user, "");
        password = Objects.requireNonNullElse(password, "");
        driver = Objects.requireNonNullElse(driver, "");
        tablePrefix = Objects.requireNonNullElse(tablePrefix, "");
    }
}
