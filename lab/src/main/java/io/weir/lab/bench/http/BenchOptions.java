package io.weir.lab.bench.http;

import io.weir.lab.bench.cell.CellChoice;
import io.weir.lab.bench.peer.HttpScenario;
import io.weir.lab.bench.peer.Peer;
import io.weir.lab.bench.peer.Size;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The options of {@link HttpBenchCommand}. Immutable.
 *
 * @param rounds turns of each server
 * @param seconds length of a turn
 * @param rate requests a second of the scenarios with a steady rate; 0: chosen by the scenario
 * @param install whether missing programs are installed
 * @param seed of the bootstrap
 * @param against the folder of another build of Weir, which takes part; null: none
 * @param matrix the cells instead of a scenario; null: the scenario
 */
public record BenchOptions(
        int rounds,
        int seconds,
        Size size,
        HttpScenario scenario,
        List<Peer> peers,
        double rate,
        boolean install,
        long seed,
        @Nullable Path against,
        @Nullable CellChoice matrix) {
    public BenchOptions {
        peers = List.copyOf(peers);
    }

    /** Turns without measuring before the first round: a JVM compiles while it runs, other servers are ready soon. */
    int warmUpTurns(boolean jvm) {
        return jvm ? 5 : 1;
    }

    /** Turns after which a JVM whose figures still fall is considered warm: forty seconds, at least twenty turns. */
    int longestWarmUpTurns() {
        return Math.max(20, 40 / seconds);
    }
}
