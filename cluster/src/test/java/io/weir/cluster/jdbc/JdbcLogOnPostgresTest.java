package io.weir.cluster.jdbc;

/** The log as a table on PostgreSQL. */
class JdbcLogOnPostgresTest extends JdbcLogBehaviour {
    JdbcLogOnPostgresTest() {
        super(Dialect.POSTGRESQL);
    }
}
