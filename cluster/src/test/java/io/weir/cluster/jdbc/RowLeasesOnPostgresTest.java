package io.weir.cluster.jdbc;

/** The conformance of rows as leases on PostgreSQL. */
class RowLeasesOnPostgresTest extends RowLeasesConformance {
    RowLeasesOnPostgresTest() {
        super(Dialect.POSTGRESQL);
    }
}
