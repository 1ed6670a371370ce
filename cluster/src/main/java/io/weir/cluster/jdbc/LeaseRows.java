package io.weir.cluster.jdbc;

import io.weir.base.Clock;
import io.weir.base.Fence;
import io.weir.cluster.lease.Acquisition;
import io.weir.cluster.lease.Grant;
import io.weir.cluster.lease.LeaseTimes;
import io.weir.cluster.lease.Owner;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/**
 * Lease operations of one owner on the lease table, over a dedicated connection.
 *
 * <p>A locked table, or a database outage, must not look like the death of all members (readers of a locked table see
 * leases that cannot be renewed). So a member that takes over another's lease, or reports one as expired, writes its
 * heartbeat to the same table in the same transaction, and waits for one renewal interval after its last failed
 * request: the holders, which were locked out as well, can renew first.
 *
 * <p>All operations are idempotent, because {@link DatabaseLink} repeats an operation whose connection was lost. A
 * grant is recognized by its owner; a renewal and a release by their fence.
 *
 * <p>Confined to the thread that uses it, and blocks it.
 */
final class LeaseRows implements AutoCloseable {
    private static final String HEARTBEAT = "heartbeat/";

    private final Database database;
    private final Owner self;
    private final String user;
    private final Clock clock;
    private final LeaseTable table;
    private final DatabaseLink link;
    private final long takeOverDelay;
    private boolean failedEver;
    private long failed;

    /**
     * Creates the operations of one owner.
     *
     * @param user name of the user in log messages: leases, or coordinator
     */
    LeaseRows(Database database, DatabaseLink link, Owner self, LeaseTimes times, Clock clock, String user) {
        this.database = database;
        this.link = link;
        this.self = self;
        this.user = user;
        this.clock = clock;
        this.table = new LeaseTable(database, times.timeToLive());
        this.takeOverDelay = times.renew().toNanos();
    }

    Owner self() {
        return self;
    }

    /** As {@link io.weir.cluster.lease.LeaseBackend#acquire}. */
    Acquisition acquire(String lease) throws DatabaseFault {
        LeaseRow row = row(lease);
        if (self.equals(row.owner()) && !row.expired()) {
            return new Acquisition.Granted(new Grant(lease, row.fence()), true);
        }
        if (row.owner() != null && !row.expired()) {
            return new Acquisition.Refused(row.owner(), "held by " + row.owner());
        }
        boolean another = row.owner() != null && !self.equals(row.owner());
        if (another && !mayTakeOver()) {
            return new Acquisition.Refused(
                    row.owner(), "it has expired, but the database failed a moment ago: its holder may renew first");
        }
        return take(row, another);
    }

    private Acquisition take(LeaseRow row, boolean another) throws DatabaseFault {
        if (another) {
            row(heartbeat());
        }
        Optional<Fence> fence = call(c -> {
            if (another) {
                beat(c);
            }
            return Optional.ofNullable(table.take(c, row, self));
        });
        if (fence.isPresent()) {
            return new Acquisition.Granted(new Grant(row.name(), fence.get()), false);
        }
        return settled(row(row.name()));
    }

    /** Another owner acquired it first; or this one did, in a transaction whose commit was not confirmed. */
    private Acquisition settled(LeaseRow now) {
        if (self.equals(now.owner()) && !now.expired()) {
            return new Acquisition.Granted(new Grant(now.name(), now.fence()), true);
        }
        return new Acquisition.Refused(
                now.owner(), now.owner() == null ? "released just now" : "held by " + now.owner());
    }

    /** Renews all in one transaction; returns those still held. */
    List<Grant> renew(List<Grant> grants) throws DatabaseFault {
        return call(c -> table.renew(c, grants, self));
    }

    boolean release(Grant grant) throws DatabaseFault {
        return call(c -> {
            if (table.release(c, grant, self)) {
                return true;
            }
            // already released over a connection lost before the confirmation: it is free, and was not acquired since
            Optional<LeaseRow> row = table.read(c, grant.lease());
            return row.isPresent()
                    && row.get().owner() == null
                    && row.get().fence().equals(grant.fence());
        });
    }

    /** Releases a lease on behalf of a dead holder. */
    boolean evict(String lease, Owner dead) throws DatabaseFault {
        Optional<LeaseRow> row = read(lease);
        return row.isPresent()
                && dead.equals(row.get().owner())
                && call(c -> table.release(c, new Grant(lease, row.get().fence()), dead));
    }

    Optional<LeaseRow> read(String lease) throws DatabaseFault {
        return call(c -> table.read(c, lease));
    }

    /** Released leases and expired ones; for one renewal interval after a failure only released ones. */
    List<LeaseRow> freeOrExpired() throws DatabaseFault {
        List<LeaseRow> seen = call(table::freeOrExpired);
        List<LeaseRow> free = seen.stream().filter(r -> r.owner() == null).toList();
        if (free.size() == seen.size() || !mayTakeOver()) {
            return free;
        }
        row(heartbeat());
        return call(c -> {
            beat(c);
            return table.freeOrExpired(c);
        });
    }

    private LeaseRow row(String lease) throws DatabaseFault {
        Optional<LeaseRow> row = read(lease);
        if (row.isPresent()) {
            return row.get();
        }
        call(c -> table.create(c, lease));
        return read(lease).orElseThrow(() -> new DatabaseFault("no row for " + lease));
    }

    private void beat(Connection c) throws SQLException {
        if (!table.beat(c, heartbeat(), self)) {
            throw new SQLException("no row " + heartbeat() + " to write a heartbeat to");
        }
    }

    private String heartbeat() {
        return HEARTBEAT + self.member();
    }

    private boolean mayTakeOver() {
        return !failedEver || clock.nanos() - failed >= takeOverDelay;
    }

    private <T> T call(DatabaseLink.Work<T> work) throws DatabaseFault {
        try {
            return link.call(work);
        } catch (DatabaseFault fault) {
            failedEver = true;
            failed = clock.nanos();
            database.log().log(DatabaseMessages.LATE, user, fault);
            throw fault;
        }
    }

    @Override
    public void close() {
        link.close();
    }
}
