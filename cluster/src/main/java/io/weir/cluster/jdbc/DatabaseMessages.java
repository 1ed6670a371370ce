package io.weir.cluster.jdbc;

import io.weir.base.DeclaredMessage;
import io.weir.base.Severity;

/** Log messages of the cluster's database. */
public enum DatabaseMessages implements DeclaredMessage {
    CREATED(310050, Severity.NOTICE, "Created the table {} in the cluster's database", ""),
    AWAY(
            310051,
            Severity.ERROR,
            "The cluster's database cannot be reached for the {}: {}",
            "Singletons of members that cannot renew are deactivated before their leases end. The server keeps trying."),
    BACK(310052, Severity.NOTICE, "The cluster's database is reached again for the {}", ""),
    LOST(
            310053,
            Severity.WARNING,
            "A connection to the cluster's database was lost by the {}: {}",
            "It is reopened automatically. An idle time-out of a firewall cannot be the cause: the log is read all the"
                    + " time."),
    LATE(
            310054,
            Severity.WARNING,
            "The cluster's database did not execute the {}'s request: {}",
            "Check whether something locks the tables CLUSTER_LEASE and CLUSTER_LOG (a backup?), or the database is"
                    + " overloaded."),
    BROKEN(
            310055,
            Severity.CRITICAL,
            "The table of decisions lacks entry {}, which this member needs, and its snapshot ends at {}",
            "CLUSTER_LOG was changed from outside. Stop all members, restore the tables, raise cluster.database.epoch,"
                    + " start."),
    FAILED(
            310056,
            Severity.CRITICAL,
            "The thread of the cluster's {} ended with an error: {}",
            "This is a bug in Weir: please report it with this line.");

    private final Declaration declaration;

    DatabaseMessages(int id, Severity severity, String text, String remedy) {
        this.declaration = new Declaration(id, severity, "Cluster", text, remedy);
    }

    @Override
    public Declaration declaration() {
        return declaration;
    }
}
