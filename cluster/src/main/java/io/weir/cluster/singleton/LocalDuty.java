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
 * What the cluster's state requires of this member for one singleton: a pure function of the state, so that a lost or
 * repeated event has no effect. Immutable.
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
     * Whether its lease is to be acquired: it is free and placed on this member, or was already granted to an abandoned
     * attempt of this member.
     *
     * @param last the highest fence under which it ran here, which must not be used again
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

    /** A lease held by this member for a singleton that must not run here, to be released; null if none. */
    @Nullable
    Grant leftover(ClusterState now, Fence last) {
        LeaseState l = now.lease(lease);
        return l != null && l.heldBy(self.member(), self.incarnation()) && !acquires(now, last)
                ? new Grant(lease, l.fence())
                : null;
    }

    /** The current specification; null if undefined. */
    @Nullable
    SingletonSpec spec(ClusterState now) {
        SingletonState s = now.singleton(name);
        return s == null ? null : s.spec();
    }

    /** Whether it should run on this member with this fence. */
    boolean runs(ClusterState now, Fence fence) {
        SingletonState s = now.singleton(name);
        return s != null && s.runsOn(self.member(), fence);
    }

    /** Why it should not run on this member. */
    String whyNot(ClusterState now) {
        SingletonState s = now.singleton(name);
        return s == null ? "it is no longer defined" : s.reason();
    }

    /** Whether its activation is not yet recorded in the state. */
    boolean unreported(ClusterState now) {
        SingletonState s = now.singleton(name);
        return s != null && s.phase() == Phase.ACTIVATING;
    }

    /** Whether the state shows that the lease is no longer held with this fence. */
    boolean leaseEnded(ClusterState now, Fence fence) {
        return !now.current(lease, fence);
    }
}
