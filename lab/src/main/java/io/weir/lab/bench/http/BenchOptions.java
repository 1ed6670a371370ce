package io.weir.lab.bench.http;

import io.weir.lab.bench.peer.HttpScenario;
import io.weir.lab.bench.peer.Peer;
import io.weir.lab.bench.peer.Size;
import java.util.List;

/**
 * What {@link HttpBenchCommand} asks for. Immutable.
 *
 * @param rounds turns of each server
 * @param seconds length of a turn
 * @param rate requests a second of the scenarios with a steady rate; 0: what the scenario chooses
 * @param install whether what is missing is installed
 * @param seed of the bootstrap
 */
public record BenchOptions(
        int rounds,
        int seconds,
        Size size,
        HttpScenario scenario,
        List<Peer> peers,
        double rate,
        boolean install,
        long seed) {
    public BenchOptions {
        peers = List.copyOf(peers);
    }

    /** Turns without measuring before the first round: a JVM compiles while it runs, the others are ready soon. */
    int warmUpTurns(boolean jvm) {
        return jvm ? 5 : 1;
    }

    /** Turns after which a JVM whose figures still fall is warm enough: forty seconds, twenty turns at least. */
    int longestWarmUpTurns() {
        return Math.max(20, 40 / seconds);
    }
}
