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
 * What the engine stands on. Immutable.
 *
 * @param state as applied on this member
 * @param proposer asked for when something is proposed: the log may be opened after the engine was made
 * @param admits whether something may be done with this fence here now, asked before each call of a listener: the lease's
 *     time may have passed although the log does not know yet
 */
public record TimerParts(
        Loop loop,
        Supplier<ClusterState> state,
        Supplier<Proposer> proposer,
        Predicate<Fence> admits,
        TimerRunner runner,
        Stats stats,
        Log log) {}
