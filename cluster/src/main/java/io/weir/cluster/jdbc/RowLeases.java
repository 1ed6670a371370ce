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
 * Leases as rows of a table: WebLogic's database leasing, plus the fence that it lacks. Only the database's clock
 * determines expiry. The fence is stored in the row: its epoch, and a counter that rises with each grant; an operator
 * raises the epoch after the database lost commits (a lagging replica was promoted).
 *
 * <p>Limitation: a database whose clock jumps ahead expires leases early; two members may then both believe they hold
 * one for a while, and only the fence distinguishes them.
 *
 * <p>Called from the member's loop; the work is done on a dedicated thread over a dedicated connection. Lives as long
 * as the member.
 */
public final class RowLeases implements RecordedLeases.Rows {
    private final Owner self;
    private final LeaseRows rows;
    private final LeaseExecutor executor;

    /**
     * Creates the leases of one member.
     *
     * @throws IllegalArgumentException if the statement time-out is not less than the renewal interval
     */
    public RowLeases(Database database, Owner self, LeaseTimes times, Loop loop) {
        if (database.statement().compareTo(times.renew()) >= 0) {
            throw new IllegalArgumentException("a statement may take "
                    + database.statement().toMillis() + "ms, which is not less than the renewal interval ("
                    + times.renew().toMillis() + "ms)");
        }
        this.self = self;
        this.rows = new LeaseRows(
                database, new DatabaseLink(database, "leases", loop.clock()), self, times, loop.clock(), "leases");
        this.executor =
                new LeaseExecutor("weir.cluster.Leases", loop, times.renew().toNanos());
    }

    @Override
    public Owner self() {
        return self;
    }

    @Override
    public CompletableFuture<Acquisition> acquire(String lease) {
        return executor.submit(() -> rows.acquire(lease));
    }

    @Override
    public CompletableFuture<Set<Grant>> renew(Collection<Grant> grants) {
        List<Grant> all = List.copyOf(grants);
        return executor.submit(() -> new HashSet<>(rows.renew(all)));
    }

    @Override
    public CompletableFuture<Boolean> release(Grant grant) {
        return executor.submit(() -> rows.release(grant));
    }

    @Override
    public CompletableFuture<Boolean> evict(String lease, Owner dead) {
        return executor.submit(() -> rows.evict(lease, dead));
    }

    @Override
    public CompletableFuture<Lease> read(String lease) {
        return executor.submit(() -> rows.read(lease).map(LeaseRow::lease).orElseGet(() -> Lease.never(lease)));
    }

    /** Includes released ones: their holder may have died before it recorded the release. */
    @Override
    public CompletableFuture<List<Lease>> expired() {
        return executor.submit(
                () -> rows.freeOrExpired().stream().map(LeaseRow::lease).toList());
    }

    /** Terminates once the queued requests are executed. Does not wait for that. */
    @Override
    public void close() {
        executor.last(rows::close);
        executor.close();
    }
}
