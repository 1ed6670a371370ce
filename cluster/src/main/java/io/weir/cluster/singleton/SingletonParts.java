package io.weir.cluster.singleton;

import io.weir.base.Log;
import io.weir.base.Stats;
import io.weir.cluster.lease.FenceGuard;
import io.weir.cluster.lease.LeaseRenewer;
import io.weir.cluster.lease.LeaseSafety;
import io.weir.cluster.lease.LeaseTimes;
import io.weir.cluster.lease.Owner;
import io.weir.cluster.log.Loop;
import io.weir.cluster.state.ClusterState;
import io.weir.cluster.state.Proposer;
import java.util.function.Supplier;

/**
 * Dependencies shared by a member's singletons. Immutable.
 *
 * @param state as applied on this member
 * @param halt halts the process
 */
public record SingletonParts(
        Owner self,
        Loop loop,
        Supplier<ClusterState> state,
        Proposer proposer,
        LeaseRenewer renewer,
        FenceGuard guard,
        LeaseSafety rules,
        Activations activations,
        SingletonTimes times,
        LeaseTimes leases,
        Runnable halt,
        Stats stats,
        Log log) {}
