package io.weir.cluster.jdbc;

import java.sql.Connection;
import java.sql.SQLException;

/** Opens connections to the cluster's database. Shared by its users, each of which keeps its own connection. */
@FunctionalInterface
interface Connector {
    /**
     * Opens a connection, within about one statement time-out.
     *
     * @throws SQLException if the database is unreachable or refuses the connection
     */
    Connection open() throws SQLException;
}
