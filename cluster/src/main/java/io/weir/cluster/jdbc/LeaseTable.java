package io.weir.cluster.jdbc;

import io.weir.base.Fence;
import io.weir.cluster.lease.Grant;
import io.weir.cluster.lease.Owner;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The statements of the lease table. Each decision is one conditional statement on one row, using only the database's
 * clock: concurrent updates of the same row are serialized by its lock, and the second finds the condition no longer
 * true. Immutable; used over its caller's connection, within its caller's transaction.
 */
final class LeaseTable {
    private static final String KEY = "DOMAIN_NAME = ? and CLUSTER_NAME = ? and LEASE_NAME = ?";
    private static final String COLUMNS =
            "LEASE_NAME, OWNER, OWNER_INSTANCE, FENCE_EPOCH, FENCE, RENEWED_AT, TRANSITIONS";
    private static final OffsetDateTime ORIGIN = OffsetDateTime.parse("1970-01-01T00:00:00Z");

    private final Database database;
    private final String table;
    private final String select;
    private final long ttl;

    LeaseTable(Database database, Duration timeToLive) {
        this.database = database;
        this.table = database.table(Schema.LEASE);
        this.ttl = timeToLive.toMillis();
        this.select = "select " + COLUMNS + ", case when EXPIRES_AT < "
                + database.dialect().now() + " then 1 else 0 end from " + table + " where ";
    }

    /** The row of a lease; empty if it was never created. */
    Optional<LeaseRow> read(Connection c, String lease) throws SQLException {
        try (PreparedStatement s = c.prepareStatement(select + KEY)) {
            key(s, 1, lease);
            return rows(s).stream().findFirst();
        }
    }

    /** All leases that were held before and are now free or expired. */
    List<LeaseRow> freeOrExpired(Connection c) throws SQLException {
        String where = "DOMAIN_NAME = ? and CLUSTER_NAME = ? and FENCE > 0 and (OWNER is null or EXPIRES_AT < "
                + database.dialect().now() + ")";
        try (PreparedStatement s = c.prepareStatement(select + where)) {
            s.setString(1, Database.DOMAIN);
            s.setString(2, database.cluster());
            return rows(s);
        }
    }

    /**
     * Acquires a free or expired lease.
     *
     * @param seen its row; acquired only if it has not changed since
     * @return the new fence; null when another acquired it first
     */
    @Nullable
    Fence take(Connection c, LeaseRow seen, Owner owner) throws SQLException {
        String take = "update " + table + " set OWNER = ?, OWNER_INSTANCE = ?, STATE = 'HELD', FENCE_EPOCH = ?,"
                + " FENCE = FENCE + 1, TRANSITIONS = TRANSITIONS + 1, EXPIRES_AT = "
                + database.dialect().later() + ", RENEWED_AT = "
                + database.dialect().now() + " where " + KEY
                + " and FENCE_EPOCH = ? and FENCE = ? and (OWNER is null or EXPIRES_AT < "
                + database.dialect().now() + ")";
        Fence next = new Fence(
                Math.max(database.epoch(), seen.fence().epoch()), seen.fence().counter() + 1);
        try (PreparedStatement s = c.prepareStatement(take)) {
            s.setString(1, owner.member());
            s.setString(2, instance(owner));
            s.setLong(3, next.epoch());
            s.setLong(4, ttl);
            int at = key(s, 5, seen.name());
            s.setLong(at, seen.fence().epoch());
            s.setLong(at + 1, seen.fence().counter());
            return s.executeUpdate() == 1 ? next : null;
        }
    }

    /**
     * Creates the missing row of a lease, free; its epoch is the highest of the cluster's, which an operator may have
     * raised. Another member may insert it concurrently, so there must be nothing else in the transaction.
     */
    boolean create(Connection c, String lease) throws SQLException {
        String insert = "insert into " + table
                + " (DOMAIN_NAME, CLUSTER_NAME, LEASE_NAME, FENCE_EPOCH, FENCE, STATE, TRANSITIONS)"
                + " select ?, ?, ?, coalesce(max(FENCE_EPOCH), 0), 0, 'FREE', 0 from " + table
                + " where DOMAIN_NAME = ? and CLUSTER_NAME = ?";
        try (PreparedStatement s = c.prepareStatement(insert)) {
            int at = key(s, 1, lease);
            s.setString(at, Database.DOMAIN);
            s.setString(at + 1, database.cluster());
            return s.executeUpdate() == 1;
        } catch (SQLException e) {
            if (!Dialect.duplicate(e)) {
                throw e;
            }
            c.rollback();
            return false;
        }
    }

    /**
     * Renews all, in one batch and so in one transaction; always in the order of their names, so that two batches
     * cannot deadlock.
     *
     * @return those still held
     */
    List<Grant> renew(Connection c, List<Grant> grants, Owner owner) throws SQLException {
        String renew =
                "update " + table + " set EXPIRES_AT = " + database.dialect().later() + ", RENEWED_AT = "
                        + database.dialect().now() + " where " + KEY
                        + " and OWNER_INSTANCE = ? and FENCE_EPOCH = ? and FENCE = ? and EXPIRES_AT >= "
                        + database.dialect().now();
        List<Grant> ordered =
                grants.stream().sorted(Comparator.comparing(Grant::lease)).toList();
        try (PreparedStatement s = c.prepareStatement(renew)) {
            for (Grant grant : ordered) {
                s.setLong(1, ttl);
                held(s, key(s, 2, grant.lease()), grant, owner);
                s.addBatch();
            }
            int[] counts = s.executeBatch();
            List<Grant> renewed = new ArrayList<>();
            for (int i = 0; i < counts.length; i++) {
                if (counts[i] == 1) {
                    renewed.add(ordered.get(i));
                }
            }
            return renewed;
        }
    }

    /** Releases a lease; returns false if it was not held with that fence. */
    boolean release(Connection c, Grant grant, Owner owner) throws SQLException {
        String release =
                "update " + table + " set OWNER = null, OWNER_INSTANCE = null, EXPIRES_AT = null, STATE = 'FREE'"
                        + " where " + KEY + " and OWNER_INSTANCE = ? and FENCE_EPOCH = ? and FENCE = ?";
        try (PreparedStatement s = c.prepareStatement(release)) {
            held(s, key(s, 1, grant.lease()), grant, owner);
            return s.executeUpdate() == 1;
        }
    }

    /** Writes a member's heartbeat, which proves that the table is writable. Returns false if it has no row yet. */
    boolean beat(Connection c, String heartbeat, Owner owner) throws SQLException {
        String beat = "update " + table + " set OWNER_INSTANCE = ?, STATE = 'HEARTBEAT', RENEWED_AT = "
                + database.dialect().now() + " where " + KEY;
        try (PreparedStatement s = c.prepareStatement(beat)) {
            s.setString(1, instance(owner));
            key(s, 2, heartbeat);
            return s.executeUpdate() == 1;
        }
    }

    private int key(PreparedStatement s, int from, String lease) throws SQLException {
        s.setString(from, Database.DOMAIN);
        s.setString(from + 1, database.cluster());
        s.setString(from + 2, lease);
        return from + 3;
    }

    private static void held(PreparedStatement s, int from, Grant grant, Owner owner) throws SQLException {
        s.setString(from, instance(owner));
        s.setLong(from + 1, grant.fence().epoch());
        s.setLong(from + 2, grant.fence().counter());
    }

    private static List<LeaseRow> rows(PreparedStatement s) throws SQLException {
        List<LeaseRow> found = new ArrayList<>();
        try (ResultSet r = s.executeQuery()) {
            while (r.next()) {
                String member = r.getString(2);
                String instance = r.getString(3);
                Owner owner = member == null || instance == null
                        ? null
                        : new Owner(member, Long.parseUnsignedLong(instance, 16));
                OffsetDateTime renewed = r.getObject(6, OffsetDateTime.class);
                found.add(new LeaseRow(
                        r.getString(1),
                        owner,
                        new Fence(r.getLong(4), r.getLong(5)),
                        r.getInt(8) == 1,
                        renewed == null ? 0 : ChronoUnit.MICROS.between(ORIGIN, renewed),
                        r.getLong(7)));
            }
        }
        return found;
    }

    private static String instance(Owner owner) {
        return Long.toHexString(owner.incarnation());
    }
}
