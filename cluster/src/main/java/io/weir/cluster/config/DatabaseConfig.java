package io.weir.cluster.config;

import io.weir.base.Knob;
import io.weir.base.Unwatched;
import java.time.Duration;
import java.util.Objects;

/** The section {@code cluster.database}: the database that keeps leases where {@code leasing} is database. Immutable. */
public record DatabaseConfig(
        @Knob(
                doc = "Its JDBC URL, such as jdbc:postgresql://db/weir. Needed with leasing: database.",
                knownAs = "DataSourceForAutomaticMigration",
                unwatched = Unwatched.NAME)
        String url,

        @Knob(doc = "User name for the database.", unwatched = Unwatched.NAME)
        String user,

        @Knob(doc = "The user's password.", secret = true, unwatched = Unwatched.SECRET)
        String password,

        @Knob(
                doc = "Class of the driver, from the jars of lib-dir or the server's own; empty: the driver that"
                        + " accepts the URL.",
                unwatched = Unwatched.NAME)
        String driver,

        @Knob(
                doc = "Prefix of the tables' names CLUSTER_LEASE and CLUSTER_LOG, for instance a schema's name and a"
                        + " dot.",
                knownAs = "AutoMigrationTableName",
                unwatched = Unwatched.NAME)
        String tablePrefix,

        @Knob(
                doc = "Creates missing tables. With off they must exist already: docs/sql has the statements.",
                value = "on",
                knownAs = "AutoMigrationTableCreationPolicy",
                unwatched = Unwatched.SWITCH)
        boolean createTables,

        @Knob(
                doc = "How often the table of decisions is polled for entries of other members while idle; after a"
                        + " decision it is polled every 10 ms for a while. A shorter interval shows the start of"
                        + " a migration sooner and queries the database more often."
                        + " Rule of thumb: the default.",
                value = "100ms",
                min = "10ms",
                max = "1m",
                watch = {"weir_cluster_database_time_seconds", "weir_cluster_submit_time_seconds"})
        Duration poll,

        @Knob(
                doc = "How long a statement may take. 0 is half of the renewal interval." + " Rule of thumb: 0.",
                value = "0s",
                max = "5m",
                watch = {"weir_cluster_database_failures_total", "weir_cluster_database_time_seconds"})
        Duration statementTimeOut,

        @Knob(
                doc = "How long to wait after a failure before the database is tried again. Raise it"
                        + " when attempts burden a database that recovers; lower it to notice its recovery"
                        + " sooner. Rule of thumb: well below the time to live of leases.",
                value = "1s",
                min = "10ms",
                max = "1m",
                watch = "weir_cluster_database_failures_total",
                knownAs = "DatabaseLeasingBasisConnectionRetryDelay")
        Duration retryDelay,

        @Knob(
                doc = "Epoch of the fences that the database issues. Raise it on all members after the database lost"
                        + " committed data: a lagging replica was promoted, or a backup restored.",
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
