package io.weir.cluster.jdbc;

/** Faults between members and rows on H2. */
class RowLeasesFaultsOnH2Test extends RowLeasesFaults {
    RowLeasesFaultsOnH2Test() {
        super(Dialect.H2);
    }
}
