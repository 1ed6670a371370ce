package io.weir.cluster.ratis;

import io.weir.base.Clock;
import io.weir.base.Log;
import io.weir.base.Stats;
import io.weir.cluster.log.ReplicatedState;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;

/**
 * What a log is made of.
 *
 * @param cluster which cluster: given when it was formed, so that none takes another's entries
 * @param self this voter; its log listens on its port
 * @param bind the address to listen on
 * @param peers the voters at the formation, this one included; empty for one that is added later, or that has its disk
 * @param directory where the log lives; made when missing
 * @param state what entries are applied to
 * @param times bounds
 * @param access by what members know each other
 * @param watcher hears what the log does
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

    /** Hears what the log does, on its threads: quick. */
    public interface Watcher {
        /** The voters changed. */
        void voters(List<RatisPeer> voters);

        /** The log cannot go on in this process: the disk failed, or this voter was removed. Once. */
        void ended(String why);
    }
}
