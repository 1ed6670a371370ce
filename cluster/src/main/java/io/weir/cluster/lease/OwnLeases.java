package io.weir.cluster.lease;

import io.weir.base.Clock;
import io.weir.base.Fence;
import io.weir.cluster.state.ClusterState;
import io.weir.cluster.state.Proposer;
import io.weir.cluster.state.leases.LeaseState;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Leases of a cluster of one. No other member can take them, so a renewal is answered from the state, recorded only
 * here, and writes no log entry: an idle server writes nothing. Acquisitions, whose entries provide the fences, and
 * releases are in the log; leases of this server's former incarnation end when it rejoins. Confined to the member's
 * loop.
 */
public final class OwnLeases implements LeaseBackend {
    private record Renewal(Fence fence, long at) {}

    private final LogLeases log;
    private final Owner self;
    private final Supplier<ClusterState> state;
    private final Clock clock;
    private final LeaseTimes times;
    private final Map<String, Renewal> renewed = new HashMap<>();

    /** @param state as applied on this member */
    public OwnLeases(Owner self, Proposer proposer, Supplier<ClusterState> state, Clock clock, LeaseTimes times) {
        this.log = new LogLeases(self, proposer, state);
        this.self = self;
        this.state = state;
        this.clock = clock;
        this.times = times;
    }

    @Override
    public Owner self() {
        return self;
    }

    @Override
    public CompletableFuture<Acquisition> acquire(String lease) {
        return log.acquire(lease);
    }

    @Override
    public CompletableFuture<Set<Grant>> renew(Collection<Grant> grants) {
        ClusterState now = state.get();
        Set<Grant> still =
                grants.stream().filter(g -> now.current(g.lease(), g.fence())).collect(Collectors.toSet());
        still.forEach(g -> renewed.put(g.lease(), new Renewal(g.fence(), clock.nanos())));
        return CompletableFuture.completedFuture(still);
    }

    @Override
    public CompletableFuture<Boolean> release(Grant grant) {
        return log.release(grant);
    }

    @Override
    public CompletableFuture<Lease> read(String lease) {
        return log.read(lease);
    }

    /** Leases that this member no longer renews, because the service did not deactivate. */
    @Override
    public CompletableFuture<List<Lease>> expired() {
        ClusterState now = state.get();
        renewed.keySet().retainAll(now.leases().keySet());
        return CompletableFuture.completedFuture(now.leases().values().stream()
                .filter(l -> !l.free() && idle(l) > times.ttlNanos() + times.marginNanos())
                .map(l -> new Lease(
                        l.name(), new Owner("" + l.owner(), l.incarnation()), l.fence(), l.renewal(), l.transitions()))
                .toList());
    }

    /** Nanoseconds since the last renewal; if it was never renewed, since it was first checked. */
    private long idle(LeaseState l) {
        long now = clock.nanos();
        Renewal last = renewed.get(l.name());
        if (last == null || !last.fence().equals(l.fence())) {
            last = new Renewal(l.fence(), now);
            renewed.put(l.name(), last);
        }
        return now - last.at();
    }

    @Override
    public void close() {
        log.close();
    }
}
