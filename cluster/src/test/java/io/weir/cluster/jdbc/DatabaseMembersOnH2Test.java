package io.weir.cluster.jdbc;

/** Members whose cluster is in H2. */
class DatabaseMembersOnH2Test extends DatabaseMembers {
    DatabaseMembersOnH2Test() {
        super(Dialect.H2);
    }
}
