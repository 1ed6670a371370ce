package io.weir.cluster.jdbc;

/** The conformance of rows as leases on H2. */
class RowLeasesOnH2Test extends RowLeasesConformance {
    RowLeasesOnH2Test() {
        super(Dialect.H2);
    }
}
