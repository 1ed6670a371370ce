package io.weir.cluster.singleton;

import io.weir.base.Fence;
import io.weir.cluster.lease.Grant;
import io.weir.cluster.lease.Owner;
import io.weir.cluster.state.ClusterState;
import io.weir.cluster.state.leases.LeaseState;
import io.weir.cluster.state.leases.Leases;
import io.weir.cluster.state.singletons.Phase;
import io.weir.cluster.state.singletons.SingletonSpec;
import io.weir.cluster.state.singletons.SingletonState;
import org.jspecify.annotations.Nullable;

/**
 * What the cluster's state asks of this member for one singleton: a pure function of the state, so that a lost or repeated event
 * changes nothing. Immutable.
 */
final class LocalDuty {
    private final String name;
    private final String lease;
    private final Owner self;

    LocalDuty(String name, Owner self) {
        this.name = name;
        this.lease = Leases.ofSingleton(name);
        this.self = self;
    }

    /** The singleton's lease. */
    String lease() {
        return lease;
    }

    /**
     * Whether its lease is to be acquired: free for us to take, or ours already by an attempt whose answer was not waited for.
     *
     * @param last the highest fence under which it ran here: never one again
     */
    boolean acquires(ClusterState now, Fence last) {
        SingletonState s = now.singleton(name);
        LeaseState l = now.lease(lease);
        if (s == null) {
            return false;
        }
        if (l != null && l.heldBy(self.member(), self.incarnation())) {
            return s.runsOn(self.member(), l.fence()) && l.fence().compareTo(last) > 0;
        }
        return s.placedOn(self.member(), self.incarnation()) && (l == null || l.free());
    }

    /** Our lease of something that is not to run here, to be released; null when there is none. */
    @Nullable
    Grant leftover(ClusterState now, Fence last) {
        LeaseState l = now.lease(lease);
        return l != null && l.heldBy(self.member(), self.incarnation()) && !acquires(now, last)
                ? new Grant(lease, l.fence())
                : null;
    }

    /** As it is defined now; null when it is not. */
    @Nullable
    SingletonSpec spec(ClusterState now) {
        SingletonState s = now.singleton(name);
        return s == null ? null : s.spec();
    }

    /** Whether it is to run here with this fence. */
    boolean runs(ClusterState now, Fence fence) {
        SingletonState s = now.singleton(name);
        return s != null && s.runsOn(self.member(), fence);
    }

    /** Why it is not to run here with this fence. */
    String whyNot(ClusterState now) {
        SingletonState s = now.singleton(name);
        return s == null ? "it is not defined any more" : s.reason();
    }

    /** Whether the cluster does not know yet that it is active. */
    boolean unreported(ClusterState now) {
        SingletonState s = now.singleton(name);
        return s != null && s.phase() == Phase.ACTIVATING;
    }

    /** Whether the cluster says that the lease is not held with this fence any more. */
    boolean over(ClusterState now, Fence fence) {
        return !now.current(lease, fence);
    }
}
