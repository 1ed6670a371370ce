package io.weir.cluster.jdbc;

import io.weir.cluster.lease.Acquisition;
import io.weir.cluster.lease.Grant;
import io.weir.cluster.lease.Lease;
import io.weir.cluster.lease.LeaseTimes;
import io.weir.cluster.lease.Owner;
import io.weir.cluster.log.Loop;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * Leases as rows of a table: WebLogic's database leasing with the fence that it lacks. The database's clock alone says
 * what is over. The fence is the row's: its epoch, and a counter that rises with each grant; an operator raises the
 * epoch after the database lost commits (a lagging copy was promoted).
 *
 * <p>What it does not exclude: a database whose clock jumps ahead ends leases early; then two members may believe to
 * hold one for a while, and only the fence distinguishes them.
 *
 * <p>Called from the member's loop; its work is done on a thread of its own over a connection of its own. Lives as long
 * as the member.
 */
public final class RowLeases implements RecordedLeases.Rows {
    private final Owner self;
    private final LeaseRows rows;
    private final Desk desk;

    /**
     * Leases of one member.
     *
     * @throws IllegalArgumentException when a statement may take as long as an interval of renewals
     */
    public RowLeases(Database database, Owner self, LeaseTimes times, Loop loop) {
        if (database.statement().compareTo(times.renew()) >= 0) {
            throw new IllegalArgumentException("a statement may take "
                    + database.statement().toMillis() + "ms, which is not less than the interval of renewals ("
                    + times.renew().toMillis() + "ms)");
        }
        this.self = self;
        this.rows = new LeaseRows(
                database, new DatabaseLink(database, "leases", loop.clock()), self, times, loop.clock(), "leases");
        this.desk = new Desk("weir.cluster.Leases", loop, times.renew().toNanos());
    }

    @Override
    public Owner self() {
        return self;
    }

    @Override
    public CompletableFuture<Acquisition> acquire(String lease) {
        return desk.ask(() -> rows.acquire(lease));
    }

    @Override
    public CompletableFuture<Set<Grant>> renew(Collection<Grant> grants) {
        List<Grant> all = List.copyOf(grants);
        return desk.ask(() -> new HashSet<>(rows.renew(all)));
    }

    @Override
    public CompletableFuture<Boolean> release(Grant grant) {
        return desk.ask(() -> rows.release(grant));
    }

    @Override
    public CompletableFuture<Boolean> evict(String lease, Owner dead) {
        return desk.ask(() -> rows.evict(lease, dead));
    }

    @Override
    public CompletableFuture<Lease> read(String lease) {
        return desk.ask(() -> rows.read(lease).map(LeaseRow::lease).orElseGet(() -> Lease.never(lease)));
    }

    /** Released ones, too: their holder may have died before it notified the others. */
    @Override
    public CompletableFuture<List<Lease>> expired() {
        return desk.ask(() -> rows.over().stream().map(LeaseRow::lease).toList());
    }

    /** Lets what was asked be answered, then ends. Does not wait for it. */
    @Override
    public void close() {
        desk.last(rows::close);
        desk.close();
    }
}
