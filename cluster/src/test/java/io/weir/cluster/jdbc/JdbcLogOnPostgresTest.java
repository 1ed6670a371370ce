package io.weir.cluster.jdbc;

import org.junit.jupiter.api.Tag;

/** The log as a table on PostgreSQL. */
@Tag("slow")
class JdbcLogOnPostgresTest extends JdbcLogBehaviour {
    JdbcLogOnPostgresTest() {
        super(Dialect.POSTGRESQL);
    }
}
