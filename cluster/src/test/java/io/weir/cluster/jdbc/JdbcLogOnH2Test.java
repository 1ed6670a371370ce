package io.weir.cluster.jdbc;

/** The log as a table on H2. */
class JdbcLogOnH2Test extends JdbcLogBehaviour {
    JdbcLogOnH2Test() {
        super(Dialect.H2);
    }
}
