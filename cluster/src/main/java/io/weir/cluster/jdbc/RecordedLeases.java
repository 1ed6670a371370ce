package io.weir.cluster.jdbc;

import io.weir.cluster.lease.Acquisition;
import io.weir.cluster.lease.Grant;
import io.weir.cluster.lease.Lease;
import io.weir.cluster.lease.LeaseBackend;
import io.weir.cluster.lease.Owner;
import io.weir.cluster.state.ClusterState;
import io.weir.cluster.state.Proposer;
import io.weir.cluster.state.entry.Answer;
import io.weir.cluster.state.leases.LeaseCommand;
import io.weir.cluster.state.leases.LeaseState;
import io.weir.cluster.state.members.MemberState;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Lease rows combined with the log, whose state must contain the leases because placement, names and timers depend on
 * it: a lease is granted once its row is acquired <em>and</em> the state has recorded its fence. The row is
 * authoritative; if the state lags, because a member died between the two, the leader detects that by comparison
 * ({@link #expired}). Confined to the member's loop.
 */
public final class RecordedLeases implements LeaseBackend {
    /** A backend of lease rows. */
    public interface Rows extends LeaseBackend {
        /** Releases a lease of a holder that is certainly dead; completes with false if that owner does not hold it. */
        CompletableFuture<Boolean> evict(String lease, Owner dead);
    }

    private final Rows rows;
    private final Proposer proposer;
    private final Supplier<ClusterState> state;

    /**
     * Creates a backend over rows, which it closes.
     *
     * @param state as applied on this member
     */
    public RecordedLeases(Rows rows, Proposer proposer, Supplier<ClusterState> state) {
        this.rows = rows;
        this.proposer = proposer;
        this.state = state;
    }

    @Override
    public Owner self() {
        return rows.self();
    }

    @Override
    public CompletableFuture<Acquisition> acquire(String lease) {
        return rows.acquire(lease).thenCompose(answer -> switch (answer) {
            case Acquisition.Granted granted -> recorded(granted);
            case Acquisition.Refused refused -> refused(lease, refused);
        });
    }

    private CompletableFuture<Acquisition> recorded(Acquisition.Granted granted) {
        Grant grant = granted.grant();
        LeaseCommand.Recorded command =
                new LeaseCommand.Recorded(grant.lease(), self().member(), self().incarnation(), grant.fence());
        return proposer.propose(command).thenCompose(answer -> {
            if (answer.accepted()) {
                return CompletableFuture.completedFuture(granted);
            }
            String why = answer instanceof Answer.Refused refused ? refused.text() : "held by another";
            return rows.release(grant).thenApply(_ -> new Acquisition.Refused(null, why));
        });
    }

    /**
     * If the lease is held by a former incarnation of a restarted member, it is no longer renewed, so its row is
     * released without waiting for expiry. A member acquires rows only after its incarnation was committed, so the
     * state read after the row (hence the barrier) is not older than the row.
     */
    private CompletableFuture<Acquisition> refused(String lease, Acquisition.Refused refused) {
        Owner holder = refused.holder();
        if (holder == null || !former(holder)) {
            return CompletableFuture.completedFuture(refused);
        }
        return proposer.barrier().thenCompose(_ -> {
            if (!former(holder)) {
                return CompletableFuture.completedFuture(refused);
            }
            return rows.evict(lease, holder)
                    .thenCompose(freed -> freed
                            ? rows.acquire(lease)
                                    .thenCompose(answer -> answer instanceof Acquisition.Granted granted
                                            ? recorded(granted)
                                            : CompletableFuture.completedFuture(answer))
                            : CompletableFuture.completedFuture(refused));
        });
    }

    private boolean former(Owner holder) {
        MemberState now = state.get().member(holder.member());
        return now != null && now.incarnation() != holder.incarnation();
    }

    @Override
    public CompletableFuture<Set<Grant>> renew(Collection<Grant> grants) {
        return rows.renew(grants);
    }

    /**
     * Releases the row first: no other member acquires it until the state has recorded the release. If the proposal
     * fails, the leader detects the free row.
     */
    @Override
    public CompletableFuture<Boolean> release(Grant grant) {
        return rows.release(grant)
                .thenCompose(was -> proposer.propose(new LeaseCommand.Release(grant.lease(), grant.fence()))
                        .handle((_, _) -> was));
    }

    @Override
    public CompletableFuture<Lease> read(String lease) {
        return rows.read(lease);
    }

    /** Leases that are held in the state, with the state's fence, but whose row shows that this fence has ended. */
    @Override
    public CompletableFuture<List<Lease>> expired() {
        return rows.expired().thenApply(this::heldInTheState);
    }

    private List<Lease> heldInTheState(List<Lease> over) {
        ClusterState now = state.get();
        List<Lease> lost = new ArrayList<>();
        for (Lease row : over) {
            LeaseState held = now.lease(row.name());
            if (held != null && !held.free() && held.fence().compareTo(row.fence()) <= 0) {
                lost.add(new Lease(row.name(), owner(held), held.fence(), row.renewal(), row.transitions()));
            }
        }
        return lost;
    }

    private static @Nullable Owner owner(LeaseState held) {
        String member = held.owner();
        return member == null ? null : new Owner(member, held.incarnation());
    }

    @Override
    public void close() {
        rows.close();
    }
}
