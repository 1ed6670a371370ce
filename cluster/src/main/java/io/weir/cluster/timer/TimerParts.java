package io.weir.cluster.timer;

import io.weir.base.Fence;
import io.weir.base.Log;
import io.weir.base.Stats;
import io.weir.cluster.log.Loop;
import io.weir.cluster.state.ClusterState;
import io.weir.cluster.state.Proposer;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Dependencies of the engine. Immutable.
 *
 * @param state as applied on this member
 * @param proposer called for each proposal: the log may be opened after the engine was created
 * @param admits whether this fence is admitted on this member now; checked before each call of a listener, because the
 *     lease may have ended although the log has not recorded it yet
 */
public record TimerParts(
        Loop loop,
        Supplier<ClusterState> state,
        Supplier<Proposer> proposer,
        Predicate<Fence> admits,
        TimerRunner runner,
        Stats stats,
        Log log) {}
