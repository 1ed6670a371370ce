package io.weir.cluster.lease;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * Grants leases to one owner: the consensus log, a database's rows, or a site's existing lock service. Called from the
 * member's loop only; its futures complete on that loop only; nothing blocks. A future fails with a {@code LogFault}:
 * not committed (certainly nothing happened), unknown (it may have happened, or may later) or closed.
 *
 * <p>Guarantees of every backend (checked by a conformance suite): at most one owner of a lease at a time; each grant's
 * fence is higher than all previous ones of that lease; a lease is taken from its owner only after its time to live has
 * passed since its last renewal, measured without comparing clocks of different machines.
 */
public interface LeaseBackend extends AutoCloseable {
    /** The owner to which this backend grants leases. */
    Owner self();

    /**
     * Requests a lease. If this owner already holds it, it is granted again with the same fence, without a renewal: so
     * an attempt whose outcome is unknown may be repeated, and the lease's time is measured from the first.
     */
    CompletableFuture<Acquisition> acquire(String lease);

    /**
     * Renews all of them at once; returns those that are still held and now renewed. A lost one is never renewed again.
     */
    CompletableFuture<Set<Grant>> renew(Collection<Grant> grants);

    /**
     * Releases a lease if it is still held with that fence; false if another owner holds it. For a free lease the
     * result may be either.
     */
    CompletableFuture<Boolean> release(Grant grant);

    /** A linearizable read: sees everything that was committed before the call. */
    CompletableFuture<Lease> read(String lease);

    /**
     * Leases that have expired by the backend's clock. Empty for a backend without a clock (the log): expiry of its
     * leases is measured by the leader's {@link LeaderTimeouts}.
     */
    CompletableFuture<List<Lease>> expired();

    @Override
    void close();
}
