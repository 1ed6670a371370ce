package io.weir.cluster.jdbc;

import org.junit.jupiter.api.Tag;

/** Members whose cluster is in PostgreSQL. */
@Tag("slow")
class DatabaseMembersOnPostgresTest extends DatabaseMembers {
    DatabaseMembersOnPostgresTest() {
        super(Dialect.POSTGRESQL);
    }
}
