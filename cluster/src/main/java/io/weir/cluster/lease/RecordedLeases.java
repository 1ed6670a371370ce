package io.weir.cluster.lease;

import io.weir.cluster.state.Answer;
import io.weir.cluster.state.LeaseCommand;
import io.weir.cluster.state.Proposer;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * Leases kept elsewhere (a database's rows), recorded in the cluster's log: a lease is granted once the row is ours and the
 * log's state, on which placement and naming rest, knows the fence. The row is the truth. Confined to the member's loop.
 */
public final class RecordedLeases implements LeaseBackend {
    private final LeaseBackend rows;
    private final Proposer proposer;

    public RecordedLeases(LeaseBackend rows, Proposer proposer) {
        this.rows = rows;
        this.proposer = proposer;
    }

    @Override
    public Owner self() {
        return rows.self();
    }

    @Override
    public CompletableFuture<Acquisition> acquire(String lease) {
        return rows.acquire(lease).thenCompose(answer -> switch (answer) {
            case Acquisition.Granted granted -> recorded(granted);
            case Acquisition.Refused refused -> CompletableFuture.completedFuture(refused);
        });
    }

    private CompletableFuture<Acquisition> recorded(Acquisition.Granted granted) {
        Grant grant = granted.grant();
        return proposer.propose(
                        new LeaseCommand.Record(grant.lease(), self().member(), self().incarnation(), grant.fence()))
                .thenCompose(answer -> switch (answer) {
                    case Answer.Refused refused ->
                        rows.release(grant).thenApply(_ -> new Acquisition.Refused(null, refused.text()));
                    default -> CompletableFuture.completedFuture(granted);
                });
    }

    @Override
    public CompletableFuture<Set<Grant>> renew(Collection<Grant> grants) {
        return rows.renew(grants);
    }

    /** The row first: until the log knows, nobody else is to take it. */
    @Override
    public CompletableFuture<Boolean> release(Grant grant) {
        return rows.release(grant)
                .thenCompose(was -> proposer.propose(new LeaseCommand.Release(grant.lease(), grant.fence()))
                        .thenApply(_ -> was));
    }

    @Override
    public CompletableFuture<Lease> read(String lease) {
        return rows.read(lease);
    }

    @Override
    public CompletableFuture<List<Lease>> expired() {
        return rows.expired();
    }

    @Override
    public void close() {
        rows.close();
    }
}
