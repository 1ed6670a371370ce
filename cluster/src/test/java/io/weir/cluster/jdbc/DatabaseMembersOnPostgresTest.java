package io.weir.cluster.jdbc;

/** Members whose cluster is in PostgreSQL. */
class DatabaseMembersOnPostgresTest extends DatabaseMembers {
    DatabaseMembersOnPostgresTest() {
        super(Dialect.POSTGRESQL);
    }
}
