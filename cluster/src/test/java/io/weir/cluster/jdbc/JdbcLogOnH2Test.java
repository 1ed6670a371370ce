package io.weir.cluster.jdbc;

import org.junit.jupiter.api.Tag;

/** The log as a table on H2. */
@Tag("slow")
class JdbcLogOnH2Test extends JdbcLogBehaviour {
    JdbcLogOnH2Test() {
        super(Dialect.H2);
    }
}
