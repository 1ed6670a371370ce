package io.weir.cluster.sim;

import io.weir.base.Fence;
import io.weir.cluster.lease.Acquisition;
import io.weir.cluster.lease.Grant;
import io.weir.cluster.lease.Lease;
import io.weir.cluster.lease.LeaseBackend;
import io.weir.cluster.lease.LogLeases;
import io.weir.cluster.lease.Owner;
import io.weir.cluster.node.ClusterNode;
import io.weir.cluster.node.NodeParts;
import io.weir.cluster.state.ClusterState;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Leases that are believed when they are asked for: what rule 4 forbids. Confined to the simulation's thread. */
final class Eager implements LeaseBackend {
    private final LeaseBackend real;
    private final Supplier<ClusterState> state;

    private Eager(LeaseBackend real, Supplier<ClusterState> state) {
        this.real = real;
        this.state = state;
    }

    static NodeParts.@Nullable Leases unless(Mutation mutation, ClusterNode node) {
        return mutation == Mutation.ACTIVATED_WHEN_SENT
                ? (self, proposer) -> new Eager(new LogLeases(self, proposer, node::now), node::now)
                : null;
    }

    @Override
    public Owner self() {
        return real.self();
    }

    @Override
    public CompletableFuture<Acquisition> acquire(String lease) {
        CompletableFuture<Acquisition> sent = real.acquire(lease);
        if (!lease.startsWith("singleton/")) {
            return sent;
        }
        ClusterState now = state.get();
        Fence guess = new Fence(now.epoch(), now.applied() + 1);
        return CompletableFuture.completedFuture(new Acquisition.Granted(new Grant(lease, guess), false));
    }

    @Override
    public CompletableFuture<Set<Grant>> renew(Collection<Grant> grants) {
        return real.renew(grants);
    }

    @Override
    public CompletableFuture<Boolean> release(Grant grant) {
        return real.release(grant);
    }

    @Override
    public CompletableFuture<Lease> read(String lease) {
        return real.read(lease);
    }

    @Override
    public CompletableFuture<List<Lease>> expired() {
        return real.expired();
    }

    @Override
    public void close() {
        real.close();
    }
}
