package io.weir.lab.bench.jms;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The options of {@link JmsBenchCommand}. Immutable.
 *
 * @param rounds turns of each broker
 * @param seconds measured part of a turn
 * @param rate requests a second of the open loop; 0: half of the best peer's rate in a closed one
 * @param artemis whether the peer takes part
 * @param install whether missing libraries are installed
 * @param seed of the bootstrap
 * @param against the folder of another build of Weir, whose broker takes part; null: none
 */
public record JmsBenchOptions(
        List<JmsScenario> scenarios,
        int rounds,
        int seconds,
        double rate,
        boolean artemis,
        boolean install,
        long seed,
        @Nullable Path against) {
    public JmsBenchOptions {
        scenarios = List.copyOf(scenarios);
    }
}
