package io.weir.cluster.lease;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * What grants leases, on behalf of one owner: the consensus log, a database's row, or what a site already operates. Called
 * from the member's loop only; its futures complete on that loop only; nothing blocks. A future fails with a
 * {@code LogFault}: not committed (surely nothing happened), unknown (it may have happened, now or later) or closed.
 *
 * <p>What every backend keeps (a conformance suite asks each): at most one owner of a lease at a time; each grant's fence is
 * higher than all before of that lease, for ever; a lease is taken from its owner only when its time to live has passed since
 * its last renewal, by a measure that does not compare clocks of different machines.
 */
public interface LeaseBackend extends AutoCloseable {
    /** On whose behalf this object asks. */
    Owner self();

    /**
     * Asks for a lease. One that this very owner holds already is granted again with the same fence, and is not renewed by
     * that: so an attempt whose outcome is unknown may be repeated, and its time counts from the first.
     */
    CompletableFuture<Acquisition> acquire(String lease);

    /** Renews all of them at once; answers with those that are still held and now renewed. A lost one never comes back. */
    CompletableFuture<Set<Grant>> renew(Collection<Grant> grants);

    /** Gives one up when it is still held with that fence; false when another has it. Of one that is free already: either. */
    CompletableFuture<Boolean> release(Grant grant);

    /** The truth of now: sees everything that was committed before the call. */
    CompletableFuture<Lease> read(String lease);

    /**
     * Leases whose time has passed by the backend's own clock. Empty for a backend without one (the log): its leases are
     * measured by the leader's {@link LeaderTimeouts}.
     */
    CompletableFuture<List<Lease>> expired();

    @Override
    void close();
}
