package io.weir.cluster.jdbc;

import java.sql.Connection;
import java.sql.SQLException;

/** Opens connections to the cluster's database. Shared by its users, each of which keeps its own connection. */
@FunctionalInterface
interface Connector {
    /**
     * Opens a connection, within about the time of a statement.
     *
     * @throws SQLException when the database is away or refuses
     */
    Connection open() throws SQLException;
}
