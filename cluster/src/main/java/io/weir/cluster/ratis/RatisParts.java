package io.weir.cluster.ratis;

import io.weir.base.Clock;
import io.weir.base.Log;
import io.weir.base.Stats;
import io.weir.cluster.log.ReplicatedState;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;

/**
 * Dependencies of a log.
 *
 * @param cluster identifier of the cluster, created when it was formed, so that entries of other clusters are refused
 * @param self this voter; its log listens on its port
 * @param bind the address to listen on
 * @param peers the voters at the formation, including this one; empty for a member that is added later, or that has a
 *     log on disk
 * @param directory directory of the log; created if missing
 * @param state the state to which entries are applied
 * @param times time-outs and limits
 * @param access credentials of members
 * @param watcher callbacks of the log
 */
public record RatisParts(
        UUID cluster,
        RatisPeer self,
        String bind,
        List<RatisPeer> peers,
        Path directory,
        ReplicatedState state,
        RatisTimes times,
        LogAccess access,
        Watcher watcher,
        Clock clock,
        Stats stats,
        Log log) {
    public RatisParts {
        peers = List.copyOf(peers);
    }

    /** Callbacks on the log's threads; must not block. */
    public interface Watcher {
        /** The voters changed. */
        void voters(List<RatisPeer> voters);

        /** The log cannot continue in this process: the disk failed, or this voter was removed. Called once. */
        void ended(String why);
    }
}
